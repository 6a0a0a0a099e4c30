import type { CriterionCheck } from '@winnow/contract/compliance';

/** Checks by patterns that match the names of criteria. The first matching pattern applies. */
const CHECK_PATTERNS: readonly (readonly [RegExp, CriterionCheck])[] = [
  [/\b(?:acceptance|accepted|testable|verif\w+|definition of done)\b/i, 'acceptance'],
  [/\b(?:goals?|purpose|objectives?|problem)\b/i, 'goal'],
  [/\b(?:value|valuable|benefits?|worth)\b/i, 'valuable'],
  [/\b(?:outside|external|third[- ]part\w+|vendors?)\b/i, 'outside'],
  [/\b(?:independen\w+)\b/i, 'independent'],
  [/\b(?:dependenc\w+|depends|blockers?|prerequisites?)\b/i, 'dependencies'],
  [/\b(?:scope|borders|boundar\w+)\b/i, 'scope'],
  [/\b(?:approach|solution|implementation|design)\b/i, 'approach'],
  [/\b(?:estima\w+)\b/i, 'estimable'],
  [/\b(?:negotiable|negotiation)\b/i, 'negotiable'],
  [/\b(?:small|size)\b/i, 'small'],
  [/\b(?:blast radius|impact)\b/i, 'blast_radius'],
  [/\b(?:reversib\w+|rollback|roll back)\b/i, 'reversibility'],
  [/\b(?:unknowns?|open questions?|uncertain\w*)\b/i, 'unknowns'],
  [/\b(?:amount|steps)\b/i, 'amount'],
  [/\b(?:breadth)\b/i, 'breadth'],
  [/\b(?:depth)\b/i, 'depth'],
];

/**
 * Returns the check that the built-in analyst uses for a criterion with this name. Null if only a
 * language model can judge the criterion.
 */
export function checkForName(name: string): CriterionCheck | null {
  return CHECK_PATTERNS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
