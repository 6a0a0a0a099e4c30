/**
 * Counts what has no transaction of its own, such as requests: in memory, written at most once per interval in one
 * statement, and again at the next interval when that failed. {@link flush} before reading what is counted and
 * {@link close} before stopping; then nothing is lost.
 */
export class Tallies<Tally> {
  readonly #options: TalliesOptions<Tally>;
  #tallies = new Map<string, Tally>();
  #beingWritten: readonly Tally[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: TalliesOptions<Tally>) {
    this.#options = options;
  }

  add(tally: Tally): void {
    this.#add(tally);
    this.#writeLater();
  }

  /** What may not be stored yet; of one key there may be two. */
  unwritten(): Tally[] {
    return [...this.#beingWritten, ...this.#tallies.values()];
  }

  /** Writes everything counted so far. What could not be written is kept for the next time. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const next = this.#writing.then(() => this.#write());
    this.#writing = next.catch(() => undefined);
    return next;
  }

  /** Writes everything a last time. */
  close(): Promise<void> {
    this.#closed = true;
    return this.flush();
  }

  #writeLater(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.flush().catch(this.#options.onError);
    }, this.#options.intervalMs);
  }

  async #write(): Promise<void> {
    const tallies = [...this.#tallies.values()];
    if (tallies.length === 0) return;
    this.#tallies = new Map();
    this.#beingWritten = tallies;
    try {
      await this.#options.write(tallies);
    } catch (error) {
      for (const tally of tallies) this.#add(tally);
      this.#writeLater();
      throw error;
    } finally {
      this.#beingWritten = [];
    }
  }

  #add(tally: Tally): void {
    const { keyOf, merge } = this.#options;
    const known = this.#tallies.get(keyOf(tally));
    this.#tallies.set(keyOf(tally), known === undefined ? tally : merge(known, tally));
  }
}

export interface TalliesOptions<Tally> {
  /** Tallies of one key become one. */
  keyOf: (tally: Tally) => string;
  merge: (left: Tally, right: Tally) => Tally;
  /** Adds them to what is stored, all or none. */
  write: (tallies: Tally[]) => Promise<void>;
  onError: (error: unknown) => void;
  intervalMs: number;
}
