/** A request and the status of its response. Requests to `/_emulator/` are not logged. */
export interface LoggedRequest {
  method: string;
  /** Encoded path with the query. */
  url: string;
  /** Decoded path below the API root, in the format of the published API description. */
  path: string;
  query: Record<string, string>;
  /** Headers by lower-case name, without those that contain credentials. */
  headers: Record<string, string>;
  /** Parsed JSON of the body, or its text if it is not JSON. Null without a body. */
  body: unknown;
  login: string | null;
  /** Status of the response, even if a fault closed the connection before it was sent. */
  status: number;
  /** Kind of the fault that occurred, or null. */
  fault: string | null;
  at: string;
  durationMs: number;
}

const kept = 20_000;

/** Stores the last 20,000 requests, oldest first. */
export class RequestLog {
  readonly #host: string;
  #entries: LoggedRequest[] = [];
  readonly #waiting = new Set<(entry: LoggedRequest) => void>();

  /** `host` is the name of the emulated host, used in error messages. */
  constructor(host: string) {
    this.#host = host;
  }

  all(): readonly LoggedRequest[] {
    return this.#entries;
  }

  /** Returns the logged requests with this method and a matching `path`. */
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
   * Waits for a request that meets the condition. Resolves at once if it is already logged.
   * @throws {Error} if no such request arrives in time
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
