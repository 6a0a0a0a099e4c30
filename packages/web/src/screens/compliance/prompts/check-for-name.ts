import type { CriterionCheck } from '@winnow/contract/compliance';

/** Words in a criterion's name that tell what is to be looked for; the first that fits counts. */
const WORDS: readonly (readonly [RegExp, CriterionCheck])[] = [
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
 * What the built-in analyst may look for under a criterion of this name; null where only a language
 * model can judge.
 */
export function checkForName(name: string): CriterionCheck | null {
  return WORDS.find(([words]) => words.test(name))?.[1] ?? null;
}
