/** Scores of a pair of issues. */
export interface PairScores {
  /** From 0 to 1. The value 1 means that the normalized texts are equal. */
  similarity: number;
  /** Log-odds that the issues are duplicates. Excludes the effect of the older issue's state. */
  logOdds: number;
  /** True if each issue is the most similar issue of the other. */
  isMutualBest: boolean;
}

/**
 * Two issues and their scores. `a` is the older issue. If both were created at the same time, `a`
 * has the lower id.
 */
export interface ScoredPair extends PairScores {
  a: string;
  b: string;
}

const FIRST_ROOM = 256;

/**
 * A compact table of scored pairs: seventeen bytes per pair. As objects, the pairs of ten thousand
 * issues took 60 MB.
 */
export class PairTable {
  readonly #indexes = new Map<string, number>();
  #first = new Uint32Array(FIRST_ROOM);
  #second = new Uint32Array(FIRST_ROOM);
  #similarity = new Float32Array(FIRST_ROOM);
  #logOdds = new Float32Array(FIRST_ROOM);
  #isMutualBest = new Uint8Array(FIRST_ROOM);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds a pair. The table must not contain the pair yet. */
  add(a: string, b: string, { similarity, logOdds, isMutualBest }: PairScores): void {
    if (this.#length === this.#first.length) this.#grow();
    this.#first[this.#length] = this.#indexOf(a);
    this.#second[this.#length] = this.#indexOf(b);
    this.#similarity[this.#length] = similarity;
    this.#logOdds[this.#length] = logOdds;
    this.#isMutualBest[this.#length] = isMutualBest ? 1 : 0;
    this.#length += 1;
  }

  /**
   * Returns one array per field. The pair `i` consists of `issues[first[i]]` and
   * `issues[second[i]]`, with the scores `similarity[i]`, `logOdds[i]` and `isMutualBest[i]`.
   * Numbers are in single precision.
   */
  columns(): {
    issues: string[];
    first: Uint32Array<ArrayBuffer>;
    second: Uint32Array<ArrayBuffer>;
    similarity: Float32Array<ArrayBuffer>;
    logOdds: Float32Array<ArrayBuffer>;
    isMutualBest: Uint8Array<ArrayBuffer>;
  } {
    return {
      issues: [...this.#indexes.keys()],
      first: this.#first.slice(0, this.#length),
      second: this.#second.slice(0, this.#length),
      similarity: this.#similarity.slice(0, this.#length),
      logOdds: this.#logOdds.slice(0, this.#length),
      isMutualBest: this.#isMutualBest.slice(0, this.#length),
    };
  }

  /** Returns the pairs as objects, most similar first, then by ids. Only for small tables. */
  sorted(): ScoredPair[] {
    const { issues, first, second, similarity, logOdds, isMutualBest } = this.columns();
    return Array.from(similarity, (score, index) => ({
      a: issues[first[index] ?? 0] ?? '',
      b: issues[second[index] ?? 0] ?? '',
      similarity: score,
      logOdds: logOdds[index] ?? 0,
      isMutualBest: isMutualBest[index] === 1,
    })).sort((p, q) => q.similarity - p.similarity || compareText(p.a, q.a) || compareText(p.b, q.b));
  }

  #indexOf(id: string): number {
    const known = this.#indexes.get(id);
    if (known !== undefined) return known;
    this.#indexes.set(id, this.#indexes.size);
    return this.#indexes.size - 1;
  }

  #grow(): void {
    const room = this.#first.length * 2;
    const [first, second] = [new Uint32Array(room), new Uint32Array(room)];
    const similarity = new Float32Array(room);
    const logOdds = new Float32Array(room);
    const isMutualBest = new Uint8Array(room);
    first.set(this.#first);
    second.set(this.#second);
    similarity.set(this.#similarity);
    logOdds.set(this.#logOdds);
    isMutualBest.set(this.#isMutualBest);
    [this.#first, this.#second, this.#similarity] = [first, second, similarity];
    [this.#logOdds, this.#isMutualBest] = [logOdds, isMutualBest];
  }
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
