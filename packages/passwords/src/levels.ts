/** Rating of a password. */
export interface Strength {
  /** zxcvbn score: 0 (weakest) to 4 (strongest). */
  readonly score: 0 | 1 | 2 | 3 | 4;
  readonly isAccepted: boolean;
  /** Advice in one sentence; empty for a good password. */
  readonly hint: string;
}

/** Labels by score. */
export const STRENGTH_LABELS = ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'] as const;
