import type {
  JSONRPCMessage,
  MessageExtraInfo,
  StreamableHTTPClientTransport,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { exceedsValueCount } from '../platform/value-count.ts';

/**
 * So many values one message may have. A megabyte can hold hundreds of thousands, and looking at each of them as the
 * protocol's library does would stop the whole process for seconds.
 */
const MOST_VALUES = 50_000;

/** What a server did that ends the conversation. */
export type Breach = 'too many values' | 'no answer';

/**
 * A transport that tells, instead of passing it on, when a message has too many values, and when the answer to a question
 * ends before it has begun: the library would wait for it until its time is over.
 */
export class BoundedTransport implements Transport {
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #onBreach: (breach: Breach) => void;
  readonly #unanswered = new Set<unknown>();

  constructor(inner: StreamableHTTPClientTransport, onBreach: (breach: Breach) => void) {
    this.#inner = inner;
    this.#onBreach = onBreach;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
      if ('id' in message && !('method' in message)) this.#unanswered.delete(message.id);
      if (exceedsValueCount(message, MOST_VALUES)) onBreach('too many values');
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
