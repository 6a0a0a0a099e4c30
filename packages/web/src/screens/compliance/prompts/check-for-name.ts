import type { CriterionCheck } from '@winnow/contract/compliance';

/** Patterns in the names of criteria and the check they imply. The first match wins. */
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
 * Returns the check of the built-in analyst for a criterion name; null if only a language model can
 * judge it.
 */
export function checkForName(name: string): CriterionCheck | null {
  return CHECK_PATTERNS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
