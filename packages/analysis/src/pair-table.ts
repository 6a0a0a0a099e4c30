/** Two issues and how alike they are, the older one (then the lower id) first. */
export interface ScoredPair {
  a: string;
  b: string;
  /** In [0, 1]; 1 exactly when the normalized texts are the same. */
  similarity: number;
}

const FIRST_ROOM = 256;

/** Scored pairs in columns: twelve bytes each, where as objects a backlog of ten thousand issues had 60 MB of them. */
export class PairTable {
  readonly #indexes = new Map<string, number>();
  #first = new Uint32Array(FIRST_ROOM);
  #second = new Uint32Array(FIRST_ROOM);
  #similarity = new Float32Array(FIRST_ROOM);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds a pair; the caller sees to it that none comes twice. */
  add(a: string, b: string, similarity: number): void {
    if (this.#length === this.#first.length) this.#grow();
    this.#first[this.#length] = this.#indexOf(a);
    this.#second[this.#length] = this.#indexOf(b);
    this.#similarity[this.#length] = similarity;
    this.#length += 1;
  }

  /** The columns: `issues[first[i]]` and `issues[second[i]]` are alike by `similarity[i]` (single precision). */
  columns(): {
    issues: string[];
    first: Uint32Array<ArrayBuffer>;
    second: Uint32Array<ArrayBuffer>;
    similarity: Float32Array<ArrayBuffer>;
  } {
    return {
      issues: [...this.#indexes.keys()],
      first: this.#first.slice(0, this.#length),
      second: this.#second.slice(0, this.#length),
      similarity: this.#similarity.slice(0, this.#length),
    };
  }

  /** The pairs as objects, most similar first, then by ids: for few of them. */
  sorted(): ScoredPair[] {
    const { issues, first, second, similarity } = this.columns();
    return Array.from(similarity, (score, index) => ({
      a: issues[first[index] ?? 0] ?? '',
      b: issues[second[index] ?? 0] ?? '',
      similarity: score,
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
    first.set(this.#first);
    second.set(this.#second);
    similarity.set(this.#similarity);
    [this.#first, this.#second, this.#similarity] = [first, second, similarity];
  }
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
