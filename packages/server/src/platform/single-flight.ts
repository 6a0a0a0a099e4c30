/**
 * Shares work among concurrent callers: calls with the same key wait for one run and get its
 * result.
 */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /**
   * If work with this key is running, returns its result. Otherwise starts `work` and returns its
   * result.
   */
  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const begun = work();
    this.#running.set(key, begun);
    const forget = () => this.#running.delete(key);
    begun.then(forget, forget);
    return begun;
  }

  /**
   * Returns the result of the work that is running for this key. Returns undefined if none is
   * running.
   */
  running(key: string): Promise<T> | undefined {
    return this.#running.get(key);
  }

  /** Waits for all work that was running at the time of the call. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
