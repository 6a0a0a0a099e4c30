/** One request and its response. Requests to the emulator's control endpoints are not logged. */
export interface LoggedRequest {
  method: string;
  /** Raw path with query. */
  url: string;
  /** Decoded path below the root of the API, in the form of the API's description. */
  path: string;
  query: Record<string, string>;
  /** Headers with lower-case names. Excludes headers that contain credentials. */
  headers: Record<string, string>;
  /** The parsed JSON, or the text if it is not JSON. Null without a body. */
  body: unknown;
  login: string | null;
  /** The status of the response, even if the connection was closed before it was sent. */
  status: number;
  /** Kind of the fault that occurred; null if none. */
  fault: string | null;
  at: string;
  durationMs: number;
}

const kept = 20_000;

/** Log of the last 20,000 requests, oldest first. */
export class RequestLog {
  readonly #host: string;
  #entries: LoggedRequest[] = [];
  readonly #waiting = new Set<(entry: LoggedRequest) => void>();

  /** `host` is the tracker's name, for error messages. */
  constructor(host: string) {
    this.#host = host;
  }

  all(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** Returns the requests with this method whose `path` matches. */
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
   * Resolves with the first request that meets the condition, whether logged already or later.
   * @throws {Error} if none arrives in time
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
