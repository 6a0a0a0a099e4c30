/** Minimum score of an issue if any criterion was judged. 0 means that none was judged. */
const MIN_SCORE = 0.01;

/**
 * Returns the weighted mean of the judged criteria, rounded to hundredths. Returns 1 only if each
 * of them has the maximum score, and 0 if none was judged.
 */
export function factorOf(criteria: readonly { weight: number; score: number | null }[]): number {
  const judged = criteria.flatMap(({ weight, score }) => (score === null ? [] : [{ weight, score }]));
  if (judged.length === 0) return 0;
  const weights = judged.reduce((sum, { weight }) => sum + weight, 0);
  const scored = judged.reduce((sum, { weight, score }) => sum + weight * score, 0);
  if (judged.every(({ score }) => score === 1)) return 1;
  if (weights === 0) return MIN_SCORE;
  return Math.min(0.99, Math.max(MIN_SCORE, Math.round((scored / weights) * 100) / 100));
}

/**
 * Returns the share of the total weight that was judged, rounded to hundredths. Returns 1 only if
 * all criteria were judged.
 */
export function judgedShareOf(criteria: readonly { weight: number; score: number | null }[]): number {
  const weigh = (some: typeof criteria) => some.reduce((sum, { weight }) => sum + weight, 0);
  const judged = criteria.filter(({ score }) => score !== null);
  if (judged.length === criteria.length) return 1;
  return Math.min(0.99, Math.round((weigh(judged) / weigh(criteria)) * 100) / 100);
}
