import { comparePair, indexIssue, rescale } from '../indexed-issue.ts';

/** Computes the similarity of two texts like that of a pair, but only from words. */
export function wordSimilarity(
  first: { title: string; body: string },
  second: { title: string; body: string },
  idf: (term: string) => number,
): number {
  const ids = new Map<string, number>();
  const idOf = (term: string): number => {
    const id = ids.get(term) ?? ids.size;
    ids.set(term, id);
    return id;
  };
  const read = ({ title, body }: typeof first) =>
    indexIssue({ id: '', group: '', createdAt: 0, vector: null, title, body }, idOf);
  const [a, b] = [read(first), read(second)];
  const scale = { idf: Float64Array.from(ids.keys(), idf), unseen: 0, center: new Float64Array() };
  rescale(a, scale);
  rescale(b, scale);
  return comparePair(a, b, scale).similarity;
}
