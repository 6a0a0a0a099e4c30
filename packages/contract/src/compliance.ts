import { z } from 'zod';
import { baseHashes, change, issueDescription, issueTitle, LONGEST_TITLE } from './change.ts';
import { issue, projectIdsQuery, statusFilter } from './issue.ts';
import { id, instant, memberOf, projectReference } from './primitives.ts';
import { insteadOf } from './verdict.ts';

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

/** What a prompt was, newest first; the first is the one in use. A former one is restored by writing it again. */
export const compliancePromptVersions = z.array(compliancePrompt.extend({ created_at: instant.nullable() }));
export type CompliancePromptVersion = z.infer<typeof compliancePromptVersions>[number];

const oneLine = (longest: number) =>
  z
    .string()
    .trim()
    .min(1, 'This is needed.')
    .max(longest)
    .regex(/^[^\r\n\u2028\u2029]*$/, 'Write it in one line.')
    .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'This is needed.');

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

const share = z.number().min(0).max(1);

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
  /** From .01 to 1, of the criteria that were judged; 0 when it could not be evaluated; null while `checking`. */
  compliance_factor: share.nullable(),
  /** The share of the whole that the judged criteria weigh: below 1 the score says only a part. Null while `checking`. */
  judged_share: share.nullable(),
  reason: z.string(),
  /** The most valuable thing to do next; null when there is nothing. */
  suggestion: z.string().nullable(),
  criteria: z.array(criterionResult),
  /** In story points, where the prompt asks for it. */
  estimate: z.object({ points: z.int(), reason: z.string() }).nullable(),
  /** The account's model that judged, or is to; null for the built-in analyst. */
  ai_model_id: id.nullable(),
  ai_model_name: z.string(),
  /** Set where the built-in analyst judged in place of the account's model. */
  instead_of: insteadOf,
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

/** The scores that an issue had, one for each version of its texts, of the prompt, and of who judged: the current one first, then the newest. */
export const complianceHistory = z.object({
  results: z.array(
    complianceResult.pick({ id: true, ai_model_name: true, stale: true }).extend({
      compliance_factor: share,
      evaluated_at: instant,
      /** The prompt's version; null where it was not kept. */
      prompt_version: z.int().nullable(),
    }),
  ),
});
export type ComplianceHistory = z.infer<typeof complianceHistory>;

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
  /** Why the texts may be less than was hoped for, in a sentence. */
  notice: z.string().nullable(),
  ai_model_id: id.nullable(),
  ai_model_name: z.string(),
});
export type ComplianceSuggestion = z.infer<typeof complianceSuggestion>;

/** Texts that an issue is to be judged by, although it does not have them; nothing is kept. */
export const complianceTrial = z.object({
  title: z.string().max(LONGEST_TITLE, `A title has at most ${LONGEST_TITLE} characters.`),
  description: issueDescription,
  prompt_name: promptId.default(DEFAULT_PROMPT),
});
export const complianceTrialResult = z.object({
  score: scoreMove,
  /** The share of the whole that the judged criteria weigh. */
  judged_share: share,
  criteria: z.array(criterionResult),
});
export type ComplianceTrialResult = z.infer<typeof complianceTrialResult>;

/** Issues judged in one go while a prompt is written. */
export const MOST_TRIED = 10;
export const promptTrial = z.object({
  prompt: compliancePromptDraft,
  issue_ids: z.array(id).min(1).max(MOST_TRIED),
});

export const complianceUpdate = z.object({
  title: issueTitle.optional(),
  description: issueDescription.optional(),
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

/** What issues score as they are now, as far as that was judged, as columns: `factors[i]` is that of `issue_ids[i]`. */
export const complianceScores = z.object({ issue_ids: z.array(id), factors: z.array(share) });
export type ComplianceScores = z.infer<typeof complianceScores>;

/** How the issues of projects stand by a prompt, as far as they were judged as they are now. */
export const complianceStats = z.object({
  projects: z.array(
    z.object({
      project_id: id,
      project_name: z.string(),
      total: z.int(),
      evaluated: z.int(),
      /** How many of the evaluated were scored by the account's model; null where the built-in analyst is the default. */
      evaluated_by_model: z.int().nullable(),
      /** How many of the evaluated say too little for a score; neither the mean nor the tenths count them. */
      not_evaluable: z.int(),
      mean: share.nullable(),
      /** Issues by tenths of the score. */
      tenths: z.array(z.int()).length(10),
    }),
  ),
});
export type ComplianceStats = z.infer<typeof complianceStats>;

/** How far the scoring of a project has come; `failed` says why in `reason`. */
export const complianceRunState = z.enum(['running', 'done', 'stopped', 'failed']);
export type ComplianceRunState = z.infer<typeof complianceRunState>;

/** The scoring of all issues of a project, page by page, those left out whose score is of their texts as they are now. */
export const complianceRun = z.object({
  id,
  project_id: id,
  prompt_id: promptId,
  /** Which of its issues. */
  status: z.enum(['opened', 'closed', 'all']),
  state: complianceRunState,
  /** How many of `total` issues were looked at. */
  done: z.int(),
  total: z.int(),
  /** Why it failed, in a sentence. */
  reason: z.string().nullable(),
  started_at: instant,
  ended_at: instant.nullable(),
});
export type ComplianceRun = z.infer<typeof complianceRun>;

/** The newest run of each project. */
export const complianceRuns = z.object({ runs: z.array(complianceRun) });

/** Projects scored in one call. */
export const MOST_PROJECTS_SCORED = 200;
const runScope = z.object({
  project_ids: z.array(projectReference).min(1).max(MOST_PROJECTS_SCORED),
  prompt_name: promptId.default(DEFAULT_PROMPT),
  status: statusFilter.default('opened'),
});
export const complianceRunPreviewRequest = runScope;
export const complianceRunRequest = runScope.extend({
  /** So often a language model may be asked at most; the built-in analyst needs no call. */
  most_calls: z.int().min(0).default(0),
});

/** What scoring projects would take. */
export const complianceRunPreview = z.object({
  /** Issues without a score of their texts as they are now. */
  to_score: z.int(),
  /** How often a language model would be asked; 0 with the built-in analyst. */
  calls: z.int(),
  ai_model_name: z.string(),
});
export type ComplianceRunPreview = z.infer<typeof complianceRunPreview>;
