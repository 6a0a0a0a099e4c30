import { type IndexedIssue, indexIssue, rescale, type Scale } from './indexed-issue.ts';
import type { IndexedIssues } from './indexed-issues.ts';
import { centerOf, emptySnapshot, type Snapshot, unseenWeight, weightOfHash } from './snapshot.ts';
import { hashTerm } from './term-hash.ts';
import { Vocabulary } from './vocabulary.ts';

/** A text, and its vector or null. */
interface ReadText {
  title: string;
  body: string;
  vector: Float32Array | null;
}

/** The terms of one corpus, and their weights under the snapshot in use. */
export class TermScale {
  readonly #vocabulary = new Vocabulary();
  #snapshot: Snapshot;
  #scale: Scale;
  /** Number of terms whose weight is computed. */
  #weighed = 0;

  constructor(dimensions: number) {
    this.#snapshot = emptySnapshot(dimensions);
    this.#scale = scaleOf(this.#snapshot, 1024);
  }

  /** Current weights and center. `use` replaces this object. */
  get scale(): Scale {
    return this.#scale;
  }

  /** Returns the id of a term that occurs in the corpus, or -1. */
  find(term: string): number {
    return this.#vocabulary.find(hashTerm(term));
  }

  /**
   * Makes later scores depend on this snapshot. The caller must call `rescale` for all indexed
   * issues.
   */
  use(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    this.#scale = scaleOf(snapshot, this.#vocabulary.size);
    this.#weighed = 0;
    this.#weighNewTerms();
  }

  /**
   * Extracts the terms of an issue that is added to the corpus, and adds new terms to the
   * vocabulary.
   */
  read(document: Parameters<typeof indexIssue>[0]): IndexedIssue {
    const issue = indexIssue(document, (term) => this.#vocabulary.add(hashTerm(term)));
    this.#weighNewTerms();
    rescale(issue, this.#scale);
    return issue;
  }

  /**
   * Extracts the terms of a text that is not added to the corpus. New terms affect the norms of the
   * text, but are not stored.
   */
  readQuery(query: ReadText): IndexedIssue {
    return this.readTogether(query, []).first;
  }

  /**
   * Extracts the terms of several texts. They can be compared with each other and with the corpus,
   * if the returned `scale` is used for the comparison.
   */
  readTogether(
    first: ReadText,
    others: readonly ReadText[],
  ): { first: IndexedIssue; others: IndexedIssue[]; scale: Scale } {
    const strangers = new Map<number, number>();
    const read = (text: ReadText): IndexedIssue =>
      indexIssue({ ...text, id: '', group: '', createdAt: 0 }, (term) => {
        const hash = hashTerm(term);
        const known = this.#vocabulary.find(hash);
        if (known >= 0) return known;
        const id = strangers.get(hash) ?? this.#vocabulary.size + strangers.size;
        strangers.set(hash, id);
        return id;
      });
    const all = { first: read(first), others: others.map(read) };
    const idf = new Float64Array(this.#vocabulary.size + strangers.size);
    idf.set(this.#scale.idf.subarray(0, this.#vocabulary.size));
    for (const [hash, id] of strangers) idf[id] = weightOfHash(this.#snapshot, hash);
    const { unseen, center } = this.#scale;
    const scale = { idf, unseen, center };
    for (const issue of [all.first, ...all.others]) rescale(issue, scale);
    return { ...all, scale };
  }

  /** Takes a snapshot: the mean of the issues' vectors, and the number of issues per term. */
  snapshotOf(issues: IndexedIssues, version: number): Snapshot {
    const frequencies = new Uint32Array(this.#vocabulary.size);
    const sums = new Float64Array(this.#snapshot.mean.length);
    let vectors = 0;
    for (const slot of issues.slots()) {
      const issue = issues.at(slot);
      if (issue === null) continue;
      for (const term of issue.terms.terms) frequencies[term] = (frequencies[term] ?? 0) + 1;
      if (issue.vector === null) continue;
      vectors += 1;
      for (const [at, value] of issue.vector.entries()) sums[at] = (sums[at] ?? 0) + value;
    }
    const repeated: { hash: number; frequency: number }[] = [];
    for (const [term, frequency] of frequencies.entries()) {
      if (frequency > 1) repeated.push({ hash: this.#vocabulary.hashOf(term), frequency });
    }
    repeated.sort((first, second) => first.hash - second.hash);
    return {
      version,
      documents: issues.size,
      vectors,
      mean: Float32Array.from(sums, (sum) => (vectors === 0 ? 0 : sum / vectors)),
      terms: Float64Array.from(repeated, ({ hash }) => hash),
      frequencies: Uint32Array.from(repeated, ({ frequency }) => frequency),
    };
  }

  #weighNewTerms(): void {
    const { size } = this.#vocabulary;
    if (this.#scale.idf.length < size) {
      const larger = new Float64Array(Math.ceil(size * 1.5));
      larger.set(this.#scale.idf);
      this.#scale.idf = larger;
    }
    for (; this.#weighed < size; this.#weighed += 1) {
      this.#scale.idf[this.#weighed] = weightOfHash(this.#snapshot, this.#vocabulary.hashOf(this.#weighed));
    }
  }
}

function scaleOf(snapshot: Snapshot, terms: number): Scale {
  return { idf: new Float64Array(terms), unseen: unseenWeight(snapshot), center: centerOf(snapshot) };
}
