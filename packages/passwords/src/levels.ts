/** How well a password withstands guessing. */
export interface Strength {
  /** 0 to 4, as zxcvbn rates it. */
  readonly score: 0 | 1 | 2 | 3 | 4;
  readonly isAccepted: boolean;
  /** How it could be better, in a sentence; empty for a good password. */
  readonly hint: string;
}

/** The words for each score. */
export const STRENGTH_LABELS = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const;
