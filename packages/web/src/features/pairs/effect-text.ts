/**
 * Returns by how many percentage points a fact changes a probability, such as "+12 points".
 * `probability` already includes the fact. `effect` is the change that the fact causes, in
 * log-odds.
 */
export function effectText(probability: number, effect: number): string {
  const odds = probability / (1 - probability);
  const without = probability === 1 ? 1 : odds / (odds + Math.exp(effect));
  const points = Math.round(100 * (probability - without));
  if (points === 0) return 'under 1 point';
  return `${points < 0 ? '−' : '+'}${Math.abs(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`;
}
