import { z } from 'zod';
import { issue, issueSummary, projectIdsQuery, statusFilter } from './issue.ts';
import { id, instant, memberOf, pageQuery, queryFlag } from './primitives.ts';

/** All similarity thresholds. Other code must use these. */
export const SIMILARITY = {
  /** Minimum similarity of stored pairs; the default of lists. */
  stored: 0.1,
  /**
   * Default of `GET /project-duplicate-stats`: about two of three pairs are true
   * (docs/decisions/0006).
   */
  similar: 0.72,
  /** From this value on, texts count as identical and no verdict is requested. */
  identical: 0.999,
  /**
   * Minimum similarity at which `create_issue` warns about an existing issue. Expect false
   * positives.
   */
  near: 0.45,
} as const;

/**
 * Minimum probabilities that two issues describe one problem, at which a verdict changes
 * (docs/decisions/0041). An account can replace `queue` by its own minimum.
 */
export const LIKELIHOOD = {
  /**
   * Minimum probability of related issues. A less probable pair is related only if both texts share
   * an error or a passage.
   */
  related: 0.01,
  /**
   * Default minimum probability of pairs in the queue: those worth a decision
   * (docs/decisions/0042).
   */
  queue: 0.25,
  /**
   * Minimum probability of issues that are likely the same. Also that of a duplicate with
   * equivalent titles.
   */
  likely: 0.3,
  /** Minimum probability of a duplicate whose titles share half of their words. */
  reworded: 0.4,
  /** Minimum probability of a duplicate whose titles share only a rare name. */
  sure: 0.68,
} as const;

/**
 * Probabilities of the pairs that a language model is asked about without a user's request
 * (docs/decisions/0013). For other pairs, its answer would rarely change a decision.
 */
export const ASKED_PROBABILITY = {
  /** Minimum, inclusive. Less probable pairs hardly ever describe one problem. */
  min: 0.1,
  /** Upper limit, exclusive. More probable pairs nearly always describe one problem. */
  below: 0.9,
} as const;

/**
 * Maximum stored pairs per issue. This many are stored within its project, and this many across the
 * account.
 */
export const PAIRS_PER_ISSUE = 20;
/** True if a pair's texts are equal, so that no analyst need judge them. */
export function isIdentical(similarity: number): boolean {
  return similarity >= SIMILARITY.identical;
}

/**
 * Totals of pairs are exact up to this number. A longer list has this number plus one as its total.
 */
export const PAIRS_COUNTED = 1_000;
/** Number of pairs that the widget of the Overview shows. */
export const SUGGESTIONS_SHOWN = 3;

/** Resolutions of a pair, with labels. */
export const RESOLUTIONS = {
  closed: { label: 'Closed' },
  merged: { label: 'Merged' },
  deconflicted: { label: 'Deconflicted' },
  unrelated: { label: 'Unrelated' },
} as const satisfies Record<string, { label: string }>;
export const resolution = memberOf(RESOLUTIONS);
export type Resolution = z.infer<typeof resolution>;

/** Judgments of a pair by a person. Nothing is written to a tracker. */
export const PAIR_JUDGMENTS = {
  same: { label: 'Same', description: 'Both describe one problem.' },
  related: { label: 'Related', description: 'They belong together, but are two issues.' },
  different: { label: 'Different', description: 'They have nothing to do with each other.' },
} as const satisfies Record<string, { label: string; description: string }>;
export const pairJudgment = memberOf(PAIR_JUDGMENTS);
export type PairJudgment = z.infer<typeof pairJudgment>;
export const pairJudgmentBody = z.object({ judgment: pairJudgment });

export const resolutionFilter = z.enum(['all', 'resolved', 'unresolved']);
export type ResolutionFilter = z.infer<typeof resolutionFilter>;
/** Which decision a pair needs, by the states of its issues. */
export const PAIR_STANDINGS = {
  both_open: { label: 'Both open', description: 'Both issues are open.' },
  repeats_closed: {
    label: 'Repeats a closed issue',
    description: 'The older issue is closed, the newer one is open.',
  },
  settled: {
    label: 'Settled',
    description: 'The newer issue is closed, or a person judged the two as different.',
  },
} as const satisfies Record<string, { label: string; description: string }>;
export const pairStanding = memberOf(PAIR_STANDINGS);
export type PairStanding = z.infer<typeof pairStanding>;
/** `to_decide` includes both other values. */
export const standingFilter = z.enum(['to_decide', 'both_open', 'repeats_closed']);
export type StandingFilter = z.infer<typeof standingFilter>;
export const pairOrder = z.enum(['similarity', 'probability']);
export type PairOrder = z.infer<typeof pairOrder>;
export const pairScope = z.enum(['project', 'account']);
export type PairScope = z.infer<typeof pairScope>;

/** Start and end of a passage in a description, in UTF-16 code units. */
const span = z.tuple([z.int(), z.int()]);
export const evidence = z.object({
  title: z.number(),
  body: z.number(),
  error_text: z.number().nullable(),
  shared: z.array(z.object({ text: z.string(), in1: span, in2: span })),
});
export type Evidence = z.infer<typeof evidence>;

/** A series: issues whose titles differ in one place only, such as the steps of a plan. */
export const issueSeries = z.object({
  id,
  /** The title with `…` for the words that differ. */
  frame: z.string(),
  /** Number of issues in the series. */
  issues: z.int(),
  /** Key of the issue that most issues of the series mention; null if there is none. */
  umbrella_key: z.string().nullable(),
  /** True if the pairs of the series are dismissed, including those found later. */
  dismissed: z.boolean(),
});
export type IssueSeries = z.infer<typeof issueSeries>;

/** A fact that raises or lowers a probability. */
export const likelihoodReason = z.object({
  /** A short sentence, such as “Both are open.” */
  text: z.string(),
  /** Log-odds that the fact adds. Negative if it lowers the probability. */
  effect: z.number(),
});
export type LikelihoodReason = z.infer<typeof likelihoodReason>;

/** Two similar issues; `issue1` is the older one. */
export const pair = z.object({
  id,
  issue1: issueSummary,
  issue2: issueSummary,
  similarity: z.number().min(0).max(1),
  /** Probability that the two are one issue. */
  probability: z.number().min(0).max(1),
  standing: pairStanding,
  /** The series that both issues belong to; null if there is none. */
  series: issueSeries.nullable(),
  /** Judgment by a person; null if there is none. */
  judgment: pairJudgment.nullable(),
  resolution: resolution.nullable(),
  dismissed: z.boolean(),
  /** True if a decision about the pair was undone. It is not suggested again. */
  undone: z.boolean(),
  created_at: instant,
});
export type Pair = z.infer<typeof pair>;

/** A pair with both texts, their shared passages, and the change that resolved it, if any. */
export const pairDetail = pair.extend({
  issue1: issue,
  issue2: issue,
  evidence,
  /** Facts that raise the probability and facts that lower it, each with the strongest first. */
  likelihood: z.object({ raises: z.array(likelihoodReason), lowers: z.array(likelihoodReason) }),
  change_id: id.nullable(),
});
export type PairDetail = z.infer<typeof pairDetail>;

/** Maximum length of a search text in the list of pairs. */
export const MAX_PAIR_QUERY_CHARS = 200;

export const pairsQuery = z.object({
  ...pageQuery(10),
  /**
   * With `scope=project`, both issues must be in these projects. With `scope=account`, at least one
   * must be.
   */
  project_ids: projectIdsQuery,
  status: statusFilter.default('opened'),
  resolution: resolutionFilter.default('all'),
  similarity_threshold: z.coerce.number().min(0).max(1).default(SIMILARITY.stored),
  /** Minimum probability that the two are one issue. */
  probability_threshold: z.coerce.number().min(0).max(1).default(0),
  /** `true` uses the account's mark in place of `probability_threshold`. */
  above_mark: queryFlag.default(false),
  /** Only pairs that need this kind of decision. `status` has no effect then. */
  standing: standingFilter.optional(),
  order_by: pairOrder.default('similarity'),
  /** `true` lists only the most likely pair of each series. */
  one_per_series: queryFlag.default(false),
  scope: pairScope.default('project'),
  query: z.string().trim().max(MAX_PAIR_QUERY_CHARS).optional(),
  dismissed: queryFlag.default(false),
  /** `false` omits pairs with an undone decision, which are not suggested again. */
  undone: queryFlag.optional(),
});
export type PairsQuery = z.infer<typeof pairsQuery>;

export const pairList = z.object({
  duplicates: z.array(pair),
  total: z.int(),
  limit: z.int(),
  skip: z.int(),
  threshold_used: z.number(),
  /** The account's mark: the minimum probability of a pair that is worth a decision. */
  mark: z.number(),
  model_used: z.string(),
});
export type PairList = z.infer<typeof pairList>;

/**
 * New mark of the account: the minimum probability of pairs in the queue. Null restores the
 * default.
 */
export const pairMarkBody = z.object({ mark: z.number().min(0.05).max(0.95).nullable() });

export const pairKey = z.object({ issue1_id: id, issue2_id: id });
export type PairKey = z.infer<typeof pairKey>;

export const duplicateStatsQuery = z.object({
  project_ids: projectIdsQuery,
  status: statusFilter.default('opened'),
  similarity_threshold: z.coerce.number().min(0).max(1).default(SIMILARITY.similar),
  /** Minimum probability that the two are one issue. */
  probability_threshold: z.coerce.number().min(0).max(1).default(0),
  /** `true` uses the account's mark in place of `probability_threshold`. */
  above_mark: queryFlag.default(false),
  /** Counts only pairs that need this kind of decision. `status` then only filters the issues. */
  standing: standingFilter.optional(),
  /** `true` counts only the most likely pair of each series. */
  one_per_series: queryFlag.default(false),
  /** Counts pairs within one project, or all pairs of the account. */
  scope: pairScope.default('account'),
});
export const duplicateStats = z.object({
  projects: z.array(
    z.object({ project_id: id, project_name: z.string(), duplicates: z.int(), total: z.int() }),
  ),
  threshold_used: z.number(),
  /** The account's mark: the minimum probability of a pair that is worth a decision. */
  mark: z.number(),
});
export type DuplicateStats = z.infer<typeof duplicateStats>;
