/** Estimated strength of a password. */
export interface Strength {
  /** zxcvbn score: 0 (weakest) to 4 (strongest). */
  readonly score: 0 | 1 | 2 | 3 | 4;
  readonly isAccepted: boolean;
  /** Advice for a better password in one sentence. Empty for a good password. */
  readonly hint: string;
}

/** Labels by score, from 0 to 4. */
export const STRENGTH_LABELS = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const;
