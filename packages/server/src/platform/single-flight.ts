/** Lets concurrent callers with the same key share one run of the work. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** Returns the result of the running work for this key, or else starts `work`. */
  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const begun = work();
    this.#running.set(key, begun);
    const forget = () => this.#running.delete(key);
    begun.then(forget, forget);
    return begun;
  }

  /** Returns the result of the running work for this key; undefined if none is running. */
  running(key: string): Promise<T> | undefined {
    return this.#running.get(key);
  }

  /** Waits for all work that is running at the time of the call. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
