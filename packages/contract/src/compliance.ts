import { z } from 'zod';
import { baseHashes, change, LONGEST_DESCRIPTION, LONGEST_TITLE } from './change.ts';
import { issue, projectIdsQuery, statusFilter } from './issue.ts';
import { id, instant, memberOf } from './primitives.ts';

/** The prompt that issues are judged by unless another is chosen. */
export const DEFAULT_PROMPT = 'dor_compliance_v1';

/** A built-in prompt by its name, or a custom one by its id. */
export const promptId = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'There is no such prompt.');

/** What the built-in analyst can look for in an issue, and how it is called where one is chosen. */
export const CRITERION_CHECKS = {
  goal: { label: 'A clear goal' },
  acceptance: { label: 'Acceptance criteria' },
  scope: { label: 'A clear scope' },
  dependencies: { label: 'Dependencies named' },
  approach: { label: 'An approach' },
  estimable: { label: 'Enough to estimate' },
  independent: { label: 'Independence' },
  negotiable: { label: 'Room in how it is done' },
  valuable: { label: 'A value for somebody' },
  small: { label: 'A small size' },
  blast_radius: { label: 'A small blast radius' },
  reversibility: { label: 'A way back' },
  unknowns: { label: 'No unknowns' },
  outside: { label: 'Nothing needed from outside' },
  amount: { label: 'Few steps' },
  breadth: { label: 'Few parts touched' },
  depth: { label: 'No deep changes' },
} as const satisfies Record<string, { label: string }>;
export const criterionCheck = memberOf(CRITERION_CHECKS);
export type CriterionCheck = z.infer<typeof criterionCheck>;

/** One thing an issue is judged by. */
export const criterion = z.object({
  id: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/),
  name: z.string(),
  /** Its share of the whole; those of a prompt sum to 1. */
  weight: z.number().min(0).max(1),
  /** What full marks need; a language model is told the same. */
  description: z.string(),
  /** What the built-in analyst looks for; null where only a language model can judge. */
  check: criterionCheck.nullable(),
});
export type Criterion = z.infer<typeof criterion>;

/** What issues are judged by. */
export const compliancePrompt = z.object({
  id: promptId,
  name: z.string(),
  /** As the column of its scores is called. */
  short_name: z.string(),
  description: z.string(),
  criteria: z.array(criterion),
  builtin: z.boolean(),
  /** Grows with each change; scores belong to a version. */
  version: z.int(),
});
export type CompliancePrompt = z.infer<typeof compliancePrompt>;
export const compliancePrompts = z.array(compliancePrompt);

const oneLine = (longest: number) =>
  z
    .string()
    .trim()
    .min(1, 'This is needed.')
    .max(longest)
    .regex(/^[^\r\n\u2028\u2029]*$/, 'Write it in one line.');

/** A prompt as somebody writes it. Weights may be of any size: what counts is how they stand to one another. */
export const compliancePromptDraft = z.object({
  name: oneLine(80),
  short_name: oneLine(20),
  description: z.string().trim().max(500).default(''),
  criteria: z
    .array(
      z.object({
        name: oneLine(80),
        weight: z.number().positive('A weight is above 0.').max(1_000),
        description: z.string().trim().min(1, 'Say what full marks need.').max(1_000),
        check: criterionCheck.nullable().default(null),
      }),
    )
    .min(1, 'Name at least one criterion.')
    .max(12)
    .refine(
      (criteria) => new Set(criteria.map(({ name }) => name.toLowerCase())).size === criteria.length,
      'Two criteria have the same name.',
    ),
});
export type CompliancePromptDraft = z.infer<typeof compliancePromptDraft>;

/** Words of an issue that a score rests on: a UTF-16 range of one of its texts. */
export const citation = z.object({
  field: z.enum(['title', 'description']),
  start: z.int().min(0),
  end: z.int().min(1),
  quote: z.string(),
});
export type Citation = z.infer<typeof citation>;

export const criterionResult = z.object({
  id: z.string(),
  name: z.string(),
  /** Its share of the whole. */
  weight: z.number().min(0).max(1),
  /** From 0 to 1; null where it could not be judged, and counts for nothing. */
  score: z.number().min(0).max(1).nullable(),
  /** Why, in a sentence. */
  note: z.string(),
  evidence: z.array(citation),
  /** What to add, in a line; null at full marks. */
  fix: z.string().nullable(),
});
export type CriterionResult = z.infer<typeof criterionResult>;

/** How an issue stands by a prompt. */
export const complianceResult = z.object({
  /** Null while `checking`. */
  id: id.nullable(),
  issue_id: id,
  prompt_id: promptId,
  name: z.string(),
  short_name: z.string(),
  /** `checking` while nobody has judged these texts yet. */
  state: z.enum(['checking', 'evaluated']),
  /** From .01 to 1; 0 when it could not be evaluated; null while `checking`. */
  compliance_factor: z.number().min(0).max(1).nullable(),
  reason: z.string(),
  /** The most valuable thing to do next; null when there is nothing. */
  suggestion: z.string().nullable(),
  criteria: z.array(criterionResult),
  /** In story points, where the prompt asks for it. */
  estimate: z.object({ points: z.int(), reason: z.string() }).nullable(),
  /** The account's model that judged, or is to; null for the built-in analyst. */
  ai_model_id: id.nullable(),
  ai_model_name: z.string(),
  evaluated_at: instant.nullable(),
  /** The texts, the prompt, or who judges, changed since; it is being judged anew. */
  stale: z.boolean(),
});
export type ComplianceResult = z.infer<typeof complianceResult>;

export const complianceQuery = z.object({ prompt_name: promptId.default(DEFAULT_PROMPT) });
/** Issues judged in one call. */
export const MOST_EVALUATED = 100;
export const complianceBatch = z.object({
  issue_ids: z.array(id).min(1).max(MOST_EVALUATED),
  prompt_name: promptId.default(DEFAULT_PROMPT),
});
export const complianceResults = z.object({ results: z.array(complianceResult) });

/** The scores that an issue had, one for each version of its texts that was judged, newest first. */
export const complianceHistory = z.object({
  results: z.array(
    complianceResult
      .pick({ id: true, ai_model_name: true, stale: true })
      .extend({ compliance_factor: z.number().min(0).max(1), evaluated_at: instant }),
  ),
});
export type ComplianceHistory = z.infer<typeof complianceHistory>;

const share = z.number().min(0).max(1);
/** A score as the built-in analyst gives it, of texts as they are and as they would be: what costs nothing can be asked often. */
const scoreMove = z.object({ before: share, after: share });

/** Texts that an issue would do better with. */
export const complianceSuggestion = z.object({
  title: z.string(),
  description: z.string(),
  /** What was done, a line each. */
  changes: z.array(z.string()),
  /** Of each line of `description`, whether the issue says it. */
  sources: z.array(z.enum(['issue', 'new'])),
  score: scoreMove,
  ai_model_id: id.nullable(),
  ai_model_name: z.string(),
});
export type ComplianceSuggestion = z.infer<typeof complianceSuggestion>;

/** Texts that an issue is to be judged by, although it does not have them; nothing is kept. */
export const complianceTrial = z.object({
  title: z.string().max(LONGEST_TITLE),
  description: z.string().max(LONGEST_DESCRIPTION),
  prompt_name: promptId.default(DEFAULT_PROMPT),
});
export const complianceTrialResult = z.object({ score: scoreMove, criteria: z.array(criterionResult) });
export type ComplianceTrialResult = z.infer<typeof complianceTrialResult>;

/** Issues judged in one go while a prompt is written. */
export const MOST_TRIED = 10;
export const promptTrial = z.object({
  prompt: compliancePromptDraft,
  issue_ids: z.array(id).min(1).max(MOST_TRIED),
});

export const complianceUpdate = z.object({
  title: z.string().trim().min(1, 'A title is needed.').max(LONGEST_TITLE).optional(),
  description: z.string().max(LONGEST_DESCRIPTION).optional(),
  /** What was changed, for the record. */
  changes: z.array(z.string().max(500)).max(50).default([]),
  base_hashes: baseHashes.optional(),
});
export type ComplianceUpdate = z.infer<typeof complianceUpdate>;
export const complianceUpdated = z.object({
  issue,
  change_id: id,
  /** `applying` when the answer is 202. */
  status: change.shape.status,
  /** Why it could not be written. */
  error: z.string().nullable(),
});
export type ComplianceUpdated = z.infer<typeof complianceUpdated>;

export const complianceStatsQuery = complianceQuery.extend({
  project_ids: projectIdsQuery,
  status: statusFilter.default('opened'),
});

/** How the issues of projects stand by a prompt, as far as they were judged. */
export const complianceStats = z.object({
  projects: z.array(
    z.object({
      project_id: id,
      project_name: z.string(),
      total: z.int(),
      evaluated: z.int(),
      mean: share.nullable(),
      /** Issues by tenths of the score: the first holds what could not be evaluated, too. */
      tenths: z.array(z.int()).length(10),
    }),
  ),
});
export type ComplianceStats = z.infer<typeof complianceStats>;
