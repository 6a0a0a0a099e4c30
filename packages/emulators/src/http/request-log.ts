/** One request as it came and what it got. Requests to the emulator's own controls are not among them. */
export interface LoggedRequest {
  method: string;
  /** path and query as sent */
  url: string;
  /** path alone, decoded, below the root of the API, in the form the API's description has */
  path: string;
  query: Record<string, string>;
  /** lower-case names; those that hold credentials are left out */
  headers: Record<string, string>;
  /** the JSON that was sent, or the text when it was no JSON; null for none */
  body: unknown;
  login: string | null;
  /** the status that was sent, or would have been when the connection was dropped */
  status: number;
  /** kind of the fault that happened to it */
  fault: string | null;
  at: string;
  durationMs: number;
}

const kept = 20_000;

/** The last 20 000 requests, oldest first. */
export class RequestLog {
  readonly #host: string;
  #entries: LoggedRequest[] = [];
  readonly #waiting = new Set<(entry: LoggedRequest) => void>();

  /** `host` is what a sentence calls the tracker. */
  constructor(host: string) {
    this.#host = host;
  }

  all(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** Those with that method whose path matches. */
  matching(method: string, path: RegExp): LoggedRequest[] {
    return this.#entries.filter((entry) => entry.method === method && path.test(entry.path));
  }

  clear(): void {
    this.#entries = [];
  }

  add(entry: LoggedRequest): void {
    this.#entries.push(entry);
    if (this.#entries.length > kept) this.#entries.shift();
    for (const tell of this.#waiting) tell(entry);
  }

  /**
   * The first request, from the log or still to come, that the condition holds for.
   *
   * @throws Error when none has come within the time
   */
  waitFor(condition: (entry: LoggedRequest) => boolean, timeoutMs = 10_000): Promise<LoggedRequest> {
    const there = this.#entries.find(condition);
    if (there) return Promise.resolve(there);
    const { promise, resolve, reject } = Promise.withResolvers<LoggedRequest>();
    const done = () => {
      clearTimeout(timer);
      this.#waiting.delete(tell);
    };
    const tell = (entry: LoggedRequest) => {
      if (!condition(entry)) return;
      done();
      resolve(entry);
    };
    const timer = setTimeout(() => {
      done();
      reject(new Error(`No such request came to the ${this.#host} emulator within ${timeoutMs} ms.`));
    }, timeoutMs);
    this.#waiting.add(tell);
    return promise;
  }
}
