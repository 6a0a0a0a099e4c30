import { z } from 'zod';
import { baseHashes, change, issueDescription, issueTitle, MAX_TITLE_CHARS } from './change.ts';
import { issue, projectIdsQuery, statusFilter } from './issue.ts';
import { id, instant, memberOf, projectReference } from './primitives.ts';
import { insteadOf } from './verdict.ts';

/** Id of the default prompt, the Definition of Ready. */
export const DEFAULT_PROMPT = 'dor_compliance_v1';

/** The name of a built-in prompt, or the id of a custom one. */
export const promptId = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'Prompt not found.');

/** Topics that the built-in analyst can check in an issue, with labels. */
export const CRITERION_CHECKS = {
  goal: { label: 'A clear goal' },
  acceptance: { label: 'Acceptance criteria' },
  scope: { label: 'A clear scope' },
  dependencies: { label: 'Dependencies named' },
  approach: { label: 'An approach' },
  estimable: { label: 'Enough to estimate' },
  independent: { label: 'Independence' },
  negotiable: { label: 'Freedom in how it is done' },
  valuable: { label: 'Value for someone' },
  small: { label: 'A small size' },
  blast_radius: { label: 'A small blast radius' },
  reversibility: { label: 'A way to revert it' },
  unknowns: { label: 'No unknowns' },
  outside: { label: 'Nothing needed from outside' },
  amount: { label: 'Few steps' },
  breadth: { label: 'Few parts touched' },
  depth: { label: 'No deep changes' },
} as const satisfies Record<string, { label: string }>;
export const criterionCheck = memberOf(CRITERION_CHECKS);
export type CriterionCheck = z.infer<typeof criterionCheck>;

/** One criterion of a prompt. */
export const criterion = z.object({
  id: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/),
  name: z.string(),
  /** Share of this criterion in the total score. The weights of a prompt sum to 1. */
  weight: z.number().min(0).max(1),
  /** Requirements for a full score. A language model gets this text as part of its instructions. */
  description: z.string(),
  /**
   * Topic that the built-in analyst checks. Null if only a language model can judge the criterion.
   */
  check: criterionCheck.nullable(),
});
export type Criterion = z.infer<typeof criterion>;

/** A set of criteria for scoring issues. */
export const compliancePrompt = z.object({
  id: promptId,
  name: z.string(),
  /** Title of the table column that shows the scores of this prompt. */
  short_name: z.string(),
  description: z.string(),
  criteria: z.array(criterion),
  builtin: z.boolean(),
  /** Version of the prompt. Every change increments it. Each score refers to one version. */
  version: z.int(),
});
export type CompliancePrompt = z.infer<typeof compliancePrompt>;
export const compliancePrompts = z.array(compliancePrompt);

/**
 * Versions of a prompt, newest first. The newest version is in use. To restore an older version,
 * save its content again.
 */
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

/** A prompt as entered by a user. Weights may have any sum, since only their ratio matters. */
export const compliancePromptDraft = z.object({
  name: oneLine(80),
  short_name: oneLine(20),
  description: z.string().trim().max(500).default(''),
  criteria: z
    .array(
      z.object({
        name: oneLine(80),
        weight: z.number().positive('A weight must be above 0.').max(1_000),
        description: z.string().trim().min(1, 'Describe what a full score requires.').max(1_000),
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

/** Evidence for a score: a quoted range of the title or description, in UTF-16 code units. */
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
  /** Share of the criterion in the total score. */
  weight: z.number().min(0).max(1),
  /**
   * Score from 0 to 1. Null if the criterion could not be judged. An unjudged criterion does not
   * count.
   */
  score: z.number().min(0).max(1).nullable(),
  /** Reason for the score, as a sentence. */
  note: z.string(),
  evidence: z.array(citation),
  /** Description of the missing content, in one line. Null for a full score. */
  fix: z.string().nullable(),
});
export type CriterionResult = z.infer<typeof criterionResult>;

const share = z.number().min(0).max(1);

/** Scores of an issue according to one prompt. */
export const complianceResult = z.object({
  /** Null while `state` is `checking`. */
  id: id.nullable(),
  issue_id: id,
  prompt_id: promptId,
  name: z.string(),
  short_name: z.string(),
  /** `checking` until the current texts of the issue have been judged. */
  state: z.enum(['checking', 'evaluated']),
  /**
   * Score over the judged criteria, from 0.01 to 1. 0 if the issue could not be evaluated. Null
   * while `state` is `checking`.
   */
  compliance_factor: share.nullable(),
  /**
   * Total weight of the judged criteria. If it is below 1, the score covers only some of the
   * criteria. Null while `state` is `checking`.
   */
  judged_share: share.nullable(),
  reason: z.string(),
  /** The improvement that would raise the score most. Null if there is none. */
  suggestion: z.string().nullable(),
  criteria: z.array(criterionResult),
  /** Estimate in story points, if the prompt asks for one. */
  estimate: z.object({ points: z.int(), reason: z.string() }).nullable(),
  /**
   * Id of the account's model that judged the issue or will judge it. Null for the built-in
   * analyst.
   */
  ai_model_id: id.nullable(),
  ai_model_name: z.string(),
  /** Set if the built-in analyst judged in place of the account's model. */
  instead_of: insteadOf,
  evaluated_at: instant.nullable(),
  /**
   * True if the texts, the prompt or the analyst have changed since the issue was judged. A stale
   * issue is judged again.
   */
  stale: z.boolean(),
});
export type ComplianceResult = z.infer<typeof complianceResult>;

export const complianceQuery = z.object({ prompt_name: promptId.default(DEFAULT_PROMPT) });
/** Maximum issues per request for scores. */
export const MAX_EVALUATED_ISSUES = 100;
export const complianceBatch = z.object({
  issue_ids: z.array(id).min(1).max(MAX_EVALUATED_ISSUES),
  prompt_name: promptId.default(DEFAULT_PROMPT),
});
export const complianceResults = z.object({ results: z.array(complianceResult) });

/**
 * Past scores of an issue, one per version of the texts, the prompt and the analyst. The current
 * score comes first, then earlier scores, newest first.
 */
export const complianceHistory = z.object({
  results: z.array(
    complianceResult.pick({ id: true, ai_model_name: true, stale: true }).extend({
      compliance_factor: share,
      evaluated_at: instant,
      /** Version of the prompt. Null if the version is unknown. */
      prompt_version: z.int().nullable(),
    }),
  ),
});
export type ComplianceHistory = z.infer<typeof complianceHistory>;

/**
 * Scores by the built-in analyst, for the current and for the suggested texts. Computing them costs
 * nothing, so clients can request them often.
 */
const scoreMove = z.object({ before: share, after: share });

/** Improved texts for an issue. */
export const complianceSuggestion = z.object({
  title: z.string(),
  description: z.string(),
  /** Descriptions of the changes to the texts, one per entry. */
  changes: z.array(z.string()),
  /** Origin of each line of `description`: `issue` if the line is in the issue, otherwise `new`. */
  sources: z.array(z.enum(['issue', 'new'])),
  score: scoreMove,
  /** A sentence about limits of the suggested texts. Null if there are none. */
  notice: z.string().nullable(),
  ai_model_id: id.nullable(),
  ai_model_name: z.string(),
});
export type ComplianceSuggestion = z.infer<typeof complianceSuggestion>;

/** Texts to judge in place of the current texts of an issue. Nothing is stored. */
export const complianceTrial = z.object({
  title: z.string().max(MAX_TITLE_CHARS, `A title has at most ${MAX_TITLE_CHARS} characters.`),
  description: issueDescription,
  prompt_name: promptId.default(DEFAULT_PROMPT),
});
export const complianceTrialResult = z.object({
  score: scoreMove,
  /** Total weight of the judged criteria. */
  judged_share: share,
  criteria: z.array(criterionResult),
});
export type ComplianceTrialResult = z.infer<typeof complianceTrialResult>;

/** Maximum issues per request that tries out a prompt. */
export const MAX_TRIED_ISSUES = 10;
export const promptTrial = z.object({
  prompt: compliancePromptDraft,
  issue_ids: z.array(id).min(1).max(MAX_TRIED_ISSUES),
});

export const complianceUpdate = z.object({
  title: issueTitle.optional(),
  description: issueDescription.optional(),
  /** Descriptions of the changes, which are stored as the reason for the update. */
  changes: z.array(z.string().max(500)).max(50).default([]),
  base_hashes: baseHashes.optional(),
});
export type ComplianceUpdate = z.infer<typeof complianceUpdate>;
export const complianceUpdated = z.object({
  issue,
  change_id: id,
  /** Status of the change. It is `applying` if the response status is 202. */
  status: change.shape.status,
  /** Reason why the update could not be written, as a sentence. Null if the update succeeded. */
  error: z.string().nullable(),
});
export type ComplianceUpdated = z.infer<typeof complianceUpdated>;

export const complianceStatsQuery = complianceQuery.extend({
  project_ids: projectIdsQuery,
  status: statusFilter.default('opened'),
});

/**
 * Current scores of issues, as two parallel lists: `factors[i]` is the score of `issue_ids[i]`.
 * Omits issues without a current score.
 */
export const complianceScores = z.object({ issue_ids: z.array(id), factors: z.array(share) });
export type ComplianceScores = z.infer<typeof complianceScores>;

/**
 * Statistics of scores per project, for one prompt. Includes only scores of the current texts of
 * issues.
 */
export const complianceStats = z.object({
  projects: z.array(
    z.object({
      project_id: id,
      project_name: z.string(),
      total: z.int(),
      evaluated: z.int(),
      /**
       * Number of issues scored by the account's model. Null if the built-in analyst is the
       * default.
       */
      evaluated_by_model: z.int().nullable(),
      /**
       * Number of judged issues that have too little text for a score. They are not part of the
       * mean and the distribution.
       */
      not_evaluable: z.int(),
      mean: share.nullable(),
      /** Number of issues in each tenth of the score range, the lowest tenth first. */
      tenths: z.array(z.int()).length(10),
    }),
  ),
});
export type ComplianceStats = z.infer<typeof complianceStats>;

/** States of a scoring run. For `failed`, the field `reason` states the cause. */
export const complianceRunState = z.enum(['running', 'done', 'stopped', 'failed']);
export type ComplianceRunState = z.infer<typeof complianceRunState>;

/**
 * A run that scores all issues of a project, page by page. The run skips issues with a current
 * score.
 */
export const complianceRun = z.object({
  id,
  project_id: id,
  prompt_id: promptId,
  /** States of the issues that the run scores. */
  status: z.enum(['opened', 'closed', 'all']),
  state: complianceRunState,
  /** Number of issues processed so far. `total` is the number of all issues of the run. */
  done: z.int(),
  total: z.int(),
  /** Reason why the run failed, as a sentence. */
  reason: z.string().nullable(),
  started_at: instant,
  ended_at: instant.nullable(),
});
export type ComplianceRun = z.infer<typeof complianceRun>;

/** The latest run of each project. */
export const complianceRuns = z.object({ runs: z.array(complianceRun) });

/** Maximum projects per request to score. */
export const MAX_SCORED_PROJECTS = 200;
const runScope = z.object({
  project_ids: z.array(projectReference).min(1).max(MAX_SCORED_PROJECTS),
  prompt_name: promptId.default(DEFAULT_PROMPT),
  status: statusFilter.default('opened'),
});
export const complianceRunPreviewRequest = runScope;
export const complianceRunRequest = runScope.extend({
  /**
   * Maximum calls of a language model that the user accepts. The built-in analyst makes no such
   * calls.
   */
  most_calls: z.int().min(0).default(0),
});

/** Number of issues and calls that a scoring run would need. */
export const complianceRunPreview = z.object({
  /** Number of issues without a current score. */
  to_score: z.int(),
  /** Number of calls of a language model. 0 for the built-in analyst. */
  calls: z.int(),
  ai_model_name: z.string(),
});
export type ComplianceRunPreview = z.infer<typeof complianceRunPreview>;
