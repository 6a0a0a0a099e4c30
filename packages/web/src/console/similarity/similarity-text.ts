/** A similarity from 0 to 1 as a percentage with two decimals. */
export function similarityText(similarity: number): string {
  return `${(similarity * 100).toFixed(2)}%`;
}

/** A minimum similarity, as filters show it. */
export function thresholdText(threshold: number): string {
  return `${shareText(threshold)} or more`;
}

/** A share from 0 to 1 as a whole percentage. */
export function shareText(share: number): string {
  return `${Math.round(share * 100)}%`;
}
