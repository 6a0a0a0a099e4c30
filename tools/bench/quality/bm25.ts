/** Usual values of the constants in Okapi BM25. */
const [K1, B] = [1.2, 0.75];

/** Scores of the candidates for one issue. Keys are positions in the order of creation. */
export type Scores = ReadonlyMap<number, number>;

/**
 * Scores texts by Okapi BM25 over the lower-case words of title and description.
 * Returns a function that takes the position of a text. It returns the scores of all earlier texts.
 * Word statistics cover all texts.
 */
export function bm25(texts: readonly string[]): (place: number) => Scores {
  const counts = texts.map(countWords);
  const lengths = counts.map((words) => [...words.values()].reduce((sum, times) => sum + times, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const postings = new Map<string, { place: number; times: number }[]>();
  for (const [place, words] of counts.entries())
    for (const [word, times] of words) {
      const posting = postings.get(word);
      if (posting === undefined) postings.set(word, [{ place, times }]);
      else posting.push({ place, times });
    }
  return (query) => {
    const scores = new Map<number, number>();
    for (const [word, asked] of counts[query] ?? []) {
      const posting = postings.get(word) ?? [];
      const idf = Math.log(1 + (texts.length - posting.length + 0.5) / (posting.length + 0.5));
      for (const { place, times } of posting) {
        if (place >= query) break;
        const damping = K1 * (1 - B + (B * (lengths[place] ?? 0)) / mean);
        const score = (asked * idf * times * (K1 + 1)) / (times + damping);
        scores.set(place, (scores.get(place) ?? 0) + score);
      }
    }
    return scores;
  };
}

function countWords(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu))
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}
