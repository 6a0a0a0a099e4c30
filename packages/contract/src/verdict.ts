import { z } from 'zod';
import { resolution } from './duplicate.ts';
import { id, instant, memberOf } from './primitives.ts';

/** What two issues were judged to be to each other, and how that is shown. `checking` while nobody has judged yet. */
export const VERDICT_DECISIONS = {
  checking: { label: 'Checking' },
  duplicate: { label: 'Duplicate' },
  overlapping: { label: 'Overlapping' },
  unrelated: { label: 'Unrelated' },
  undecided: { label: 'Undecided' },
} as const satisfies Record<string, { label: string }>;
export const verdictDecision = memberOf(VERDICT_DECISIONS);
export type VerdictDecision = z.infer<typeof verdictDecision>;

/** Who judges when no language model does. */
export const BUILT_IN_ANALYST = 'Built-in analyst';

/** Why the account's language model did not give an answer that it is the default for. */
export const MODEL_ABSENCES = {
  asking: { label: 'is being asked' },
  waiting: { label: 'has not been asked yet' },
  failed: { label: 'gave no usable answer' },
  paused: { label: 'is paused after repeated failures' },
  capped: { label: 'has reached its cap for this month' },
} as const satisfies Record<string, { label: string }>;
/** The model that would have answered; null where it did, and where no model is the default. */
export const insteadOf = z
  .object({ ai_model_id: id, ai_model_name: z.string(), reason: memberOf(MODEL_ABSENCES) })
  .nullable();
export type InsteadOf = z.infer<typeof insteadOf>;
export type ModelAbsence = NonNullable<InsteadOf>['reason'];

/** A judgment about two issues, in the order in which the caller named them. */
export const verdict = z.object({
  issue1_id: id,
  issue2_id: id,
  decision: verdictDecision,
  /** How sure it is; null while `checking`. */
  confidence: z.number().min(0).max(1).nullable(),
  reason: z.string(),
  /** What to do about it, in a sentence; null when nothing is to be done. */
  suggestion: z.string().nullable(),
  /** How people resolved the pair, when, and who. */
  resolution: resolution.nullable(),
  resolution_at: instant.nullable(),
  resolved_by: z.string().nullable(),
  /** The account's model that judged, or is to; null for the built-in analyst. */
  ai_model_id: id.nullable(),
  ai_model_name: z.string(),
  /** Set where the built-in analyst judged in place of the account's model. */
  instead_of: insteadOf,
  decided_at: instant.nullable(),
  /** One of the texts, or who judges, changed since; it is being judged anew. */
  stale: z.boolean(),
});
export type Verdict = z.infer<typeof verdict>;

const pairNamed = z
  .object({ issue1_id: id, issue2_id: id })
  .refine(({ issue1_id, issue2_id }) => issue1_id !== issue2_id, {
    path: ['issue2_id'],
    message: 'Name two different issues.',
  });
export const verdictQuery = pairNamed;
/** Pairs judged in one call. */
export const MOST_VERDICTS = 100;
export const verdictBatch = z.object({ pairs: z.array(pairNamed).min(1).max(MOST_VERDICTS) });
export const verdictList = z.object({ verdicts: z.array(verdict) });
export type VerdictList = z.infer<typeof verdictList>;
