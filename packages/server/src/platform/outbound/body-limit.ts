import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { explainFailure, OutboundTooLarge } from './outbound-errors.ts';

/**
 * Returns a stream of the same body with a size limit. Beyond `limitBytes`, the stream fails with
 * `OutboundTooLarge`. If the call is aborted, it fails with the signal's reason. If the connection
 * fails, it fails with an `OutboundError` that explains the failure.
 */
export function limitedBody(
  body: NodeReadableStream<Uint8Array>,
  limitBytes: number,
  host: string,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let seenBytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await reader.read();
          if (piece.done) {
            controller.close();
            return;
          }
          seenBytes += piece.value.byteLength;
          if (seenBytes > limitBytes) {
            const error = new OutboundTooLarge(host, limitBytes);
            await reader.cancel(error);
            throw error;
          }
          controller.enqueue(piece.value);
        } catch (error) {
          controller.error(signal.aborted ? signal.reason : explainFailure(host, error));
        }
      },
      cancel(reason) {
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
