/**
 * Buffers counters, such as numbers of requests, and adds them to the database once per interval.
 * After a failure, the next interval tries again.
 *
 * To lose nothing, call {@link flush} before reading stored counts and {@link close} before
 * stopping.
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

  /** Returns the counters that may not be stored yet. The same key can occur twice. */
  unwritten(): Tally[] {
    return [...this.#beingWritten, ...this.#tallies.values()];
  }

  /** Writes all counters. Counters that could not be written are retried at the next interval. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const next = this.#writing.then(() => this.#write());
    this.#writing = next.catch(() => undefined);
    return next;
  }

  /** Writes the buffered counters and stops the timer. */
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
  /** Adds up tallies that have the same key. */
  keyOf: (tally: Tally) => string;
  merge: (left: Tally, right: Tally) => Tally;
  /** Adds the tallies to the stored counts in one transaction. */
  write: (tallies: Tally[]) => Promise<void>;
  onError: (error: unknown) => void;
  intervalMs: number;
}
