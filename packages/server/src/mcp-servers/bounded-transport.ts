import type {
  JSONRPCMessage,
  MessageExtraInfo,
  StreamableHTTPClientTransport,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { exceedsValueCount } from '../platform/value-count.ts';

/**
 * Maximum number of JSON values in one message. A megabyte can contain hundreds of thousands of
 * values, and validating them would block the process for seconds.
 */
const MAX_VALUES_PER_MESSAGE = 50_000;

/** Faults of a response that end the session. */
export type ResponseFault = 'too many values' | 'no answer';

/**
 * Transport that detects two faults: a message with too many values, and a stream that ends without
 * a response. Without it, the library would wait for the missing response until its timeout.
 */
export class BoundedTransport implements Transport {
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #onBreach: (breach: ResponseFault) => void;
  readonly #unanswered = new Set<unknown>();

  constructor(inner: StreamableHTTPClientTransport, onBreach: (breach: ResponseFault) => void) {
    this.#inner = inner;
    this.#onBreach = onBreach;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
      if ('id' in message && !('method' in message)) this.#unanswered.delete(message.id);
      if (exceedsValueCount(message, MAX_VALUES_PER_MESSAGE)) onBreach('too many values');
      else this.onmessage?.(message, extra);
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id !== undefined) this.#unanswered.add(id);
    return this.#inner.send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options?.onRequestStreamEnd?.();
        if (this.#unanswered.has(id)) this.#onBreach('no answer');
      },
    } as Parameters<StreamableHTTPClientTransport['send']>[1]);
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  terminateSession(): Promise<void> {
    return this.#inner.terminateSession();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
