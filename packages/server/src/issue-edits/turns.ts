/** Does work that belongs together one after the other, by the name of what it belongs to. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Does this work when all that was asked for before under the name has ended, well or not. */
  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(name) ?? Promise.resolve()).then(work);
    const ended = done.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(name, ended);
    ended.then(() => {
      if (this.#last.get(name) === ended) this.#last.delete(name);
    });
    return done;
  }
}
