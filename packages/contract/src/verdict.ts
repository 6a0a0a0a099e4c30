import { z } from 'zod';
import { resolution } from './duplicate.ts';
import { id, instant, memberOf } from './primitives.ts';

/**
 * Decisions about a pair of issues, with labels. `checking` means that the pair has not been judged
 * yet.
 */
export const VERDICT_DECISIONS = {
  checking: { label: 'Checking' },
  duplicate: { label: 'Duplicate' },
  overlapping: { label: 'Overlapping' },
  unrelated: { label: 'Unrelated' },
  undecided: { label: 'Undecided' },
} as const satisfies Record<string, { label: string }>;
export const verdictDecision = memberOf(VERDICT_DECISIONS);
export type VerdictDecision = z.infer<typeof verdictDecision>;

/** Relations of two issues, which are finer than the decisions. */
export const VERDICT_RELATIONS = {
  same: { label: 'Duplicate', description: 'At least nine in ten such pairs are the same issue.' },
  likely_same: {
    label: 'Likely same',
    description: 'Two to five in ten such pairs are the same issue. Compare the texts and decide.',
  },
  related: {
    label: 'Related',
    description: 'They concern the same thing, but most such pairs are two separate issues.',
  },
  different: { label: 'Different', description: 'They have too little in common.' },
  unclear: { label: 'Unclear', description: 'Their texts do not say enough to decide.' },
} as const satisfies Record<string, { label: string; description: string }>;
export const verdictRelation = memberOf(VERDICT_RELATIONS);
export type VerdictRelation = z.infer<typeof verdictRelation>;

/** Name of the analyst used without a language model. */
export const BUILT_IN_ANALYST = 'Built-in analyst';

/**
 * Reasons why the account's default model did not judge a pair. Each label continues a sentence
 * that starts with the name of the model.
 */
export const MODEL_ABSENCES = {
  asking: { label: 'is being asked' },
  waiting: { label: 'has not been asked yet' },
  not_worth_asking: { label: 'is asked about very unlikely and very likely pairs only on request' },
  failed: { label: 'gave no usable answer' },
  paused: { label: 'is paused after repeated failures' },
  capped: { label: 'has reached its cap for this month' },
} as const satisfies Record<string, { label: string }>;
/**
 * The default model and the reason why it did not judge the pair. Null if the default model judged,
 * or if there is none.
 */
export const insteadOf = z
  .object({ ai_model_id: id, ai_model_name: z.string(), reason: memberOf(MODEL_ABSENCES) })
  .nullable();
export type InsteadOf = z.infer<typeof insteadOf>;
export type ModelAbsence = NonNullable<InsteadOf>['reason'];

/**
 * Returns a sentence that explains why the built-in analyst judged. Null if the built-in analyst is
 * the default, or if a language model judged.
 */
export function insteadOfText(value: InsteadOf): string | null {
  if (value === null) return null;
  return `${value.ai_model_name} ${MODEL_ABSENCES[value.reason].label}, so the built-in analyst was used instead.`;
}

/** A verdict on two issues, in the order in which the caller named them. */
export const verdict = z.object({
  issue1_id: id,
  issue2_id: id,
  decision: verdictDecision,
  /** Certainty of the verdict. Null while the decision is `checking`. */
  confidence: z.number().min(0).max(1).nullable(),
  reason: z.string(),
  /**
   * Relation of the two issues. The decision `overlapping` corresponds to two relations:
   * `likely_same` and `related`. Null while the decision is `checking`.
   */
  relation: verdictRelation.nullable(),
  /**
   * Probability that the two issues describe one problem. Null if they cannot be compared. Also
   * null while a pair that is not stored is being checked.
   */
  probability: z.number().min(0).max(1).nullable(),
  /** Recommended action, as a sentence. Null if there is none. */
  suggestion: z.string().nullable(),
  /** How, when and by whom the pair was resolved. */
  resolution: resolution.nullable(),
  resolution_at: instant.nullable(),
  resolved_by: z.string().nullable(),
  /**
   * Id of the account's model that judged the pair or will judge it. Null for the built-in analyst.
   */
  ai_model_id: id.nullable(),
  ai_model_name: z.string(),
  /** Set if the built-in analyst judged the pair although the account has a default model. */
  instead_of: insteadOf,
  decided_at: instant.nullable(),
  /** True if a text or the analyst has changed since this verdict. A stale pair is judged again. */
  stale: z.boolean(),
});
export type Verdict = z.infer<typeof verdict>;

const pairNamed = z
  .object({ issue1_id: id, issue2_id: id })
  .refine(({ issue1_id, issue2_id }) => issue1_id !== issue2_id, {
    path: ['issue2_id'],
    message: 'The two issues must differ.',
  });
export const verdictQuery = pairNamed;
/** Maximum pairs per request for verdicts. */
export const MAX_VERDICTS = 100;
export const verdictBatch = z.object({ pairs: z.array(pairNamed).min(1).max(MAX_VERDICTS) });
export const verdictList = z.object({ verdicts: z.array(verdict) });
export type VerdictList = z.infer<typeof verdictList>;
