/** Work that is done once for all who ask for it while it is under way. */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** What the work of this key comes to: that which is under way, or else `work`, begun now. */
  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const begun = work();
    this.#running.set(key, begun);
    const forget = () => this.#running.delete(key);
    begun.then(forget, forget);
    return begun;
  }

  /** Waits until nothing is under way that was when this was called. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
