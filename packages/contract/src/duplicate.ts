import { z } from 'zod';
import { issue, issueSummary, projectIdsQuery, statusFilter } from './issue.ts';
import { id, instant, memberOf, pageQuery, queryFlag } from './primitives.ts';

/** All similarity thresholds. Other modules must use these constants. */
export const SIMILARITY = {
  /** Minimum similarity of stored pairs, and default minimum of lists. */
  stored: 0.1,
  /**
   * Default minimum of `GET /project-duplicate-stats`. About two of three pairs above it are
   * duplicates (docs/decisions/0006).
   */
  similar: 0.72,
  /**
   * Minimum similarity of texts that count as identical. No verdict is requested for such texts.
   */
  identical: 0.999,
  /**
   * Minimum similarity at which `create_issue` warns about an existing issue. Expect false
   * positives.
   */
  near: 0.45,
} as const;

/**
 * Thresholds of the probability that two issues describe one problem (docs/decisions/0041). A
 * verdict depends on the thresholds that the probability reaches. An account can choose its own
 * value for `queue`.
 */
export const LIKELIHOOD = {
  /**
   * Minimum probability of related issues. Less probable issues are related only if both texts
   * share an error or a passage.
   */
  related: 0.01,
  /**
   * Default minimum probability of pairs in the queue. Less probable pairs are not worth a decision
   * (docs/decisions/0042).
   */
  queue: 0.25,
  /**
   * Minimum probability of issues that are likely the same. Also the minimum for a duplicate if
   * both titles are equivalent.
   */
  likely: 0.3,
  /** Minimum probability of a duplicate if the titles share half of their words. */
  reworded: 0.4,
  /** Minimum probability of a duplicate if the titles share only a rare name. */
  sure: 0.68,
} as const;

/**
 * Range of probabilities in which Winnow asks a language model without a user's request
 * (docs/decisions/0013). Outside the range, a verdict by the model would rarely change a decision.
 */
export const ASKED_PROBABILITY = {
  /** Minimum, inclusive. Less probable pairs hardly ever describe one problem. */
  min: 0.1,
  /** Upper limit, exclusive. More probable pairs nearly always describe one problem. */
  below: 0.9,
} as const;

/**
 * Maximum pairs stored per issue within its project. The same maximum applies to the pairs of an
 * issue across the account.
 */
export const PAIRS_PER_ISSUE = 20;
/** True if the texts of a pair are equal. No analyst needs to judge such a pair. */
export function isIdentical(similarity: number): boolean {
  return similarity >= SIMILARITY.identical;
}

/**
 * Highest exact total of a list of pairs. Longer lists report this number plus one as their total.
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

/** Judgments of a pair by a person. A judgment changes nothing in a tracker. */
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
/** Kinds of decisions that a pair needs, depending on the states of its issues. */
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
/** `to_decide` includes `both_open` and `repeats_closed`. */
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
  /** The title common to the series, with `…` in place of the words that differ. */
  frame: z.string(),
  /** Number of issues in the series. */
  issues: z.int(),
  /** Key of the issue that is mentioned by most issues of the series. Null if there is none. */
  umbrella_key: z.string().nullable(),
  /** True if the pairs of the series are dismissed. Pairs found later are dismissed too. */
  dismissed: z.boolean(),
});
export type IssueSeries = z.infer<typeof issueSeries>;

/** A fact that raises or lowers the probability of a pair. */
export const likelihoodReason = z.object({
  /** A short sentence, such as “Both are open.” */
  text: z.string(),
  /** Change of the log-odds by the fact. Negative if the fact lowers the probability. */
  effect: z.number(),
});
export type LikelihoodReason = z.infer<typeof likelihoodReason>;

/** Two similar issues. `issue1` is the older issue. */
export const pair = z.object({
  id,
  issue1: issueSummary,
  issue2: issueSummary,
  similarity: z.number().min(0).max(1),
  /** Probability that both issues describe one problem. */
  probability: z.number().min(0).max(1),
  standing: pairStanding,
  /** The series that both issues belong to. Null if there is none. */
  series: issueSeries.nullable(),
  /** Judgment of the pair by a person. Null if there is none. */
  judgment: pairJudgment.nullable(),
  resolution: resolution.nullable(),
  dismissed: z.boolean(),
  /** True if a decision about the pair was undone. The pair is then not suggested again. */
  undone: z.boolean(),
  created_at: instant,
});
export type Pair = z.infer<typeof pair>;

/**
 * A pair with the texts of both issues, their shared passages, and the change that resolved the
 * pair, if any.
 */
export const pairDetail = pair.extend({
  issue1: issue,
  issue2: issue,
  evidence,
  /**
   * Facts that raise the probability, and facts that lower it. In each list, the strongest fact
   * comes first.
   */
  likelihood: z.object({ raises: z.array(likelihoodReason), lowers: z.array(likelihoodReason) }),
  change_id: id.nullable(),
});
export type PairDetail = z.infer<typeof pairDetail>;

/** Maximum length of a search text for the list of pairs. */
export const MAX_PAIR_QUERY_CHARS = 200;

export const pairsQuery = z.object({
  ...pageQuery(10),
  /**
   * With `scope=project`, both issues of a pair must be in these projects. With `scope=account`, at
   * least one must be.
   */
  project_ids: projectIdsQuery,
  status: statusFilter.default('opened'),
  resolution: resolutionFilter.default('all'),
  similarity_threshold: z.coerce.number().min(0).max(1).default(SIMILARITY.stored),
  /** Minimum probability that both issues of a pair describe one problem. */
  probability_threshold: z.coerce.number().min(0).max(1).default(0),
  /** `true` replaces `probability_threshold` by the account's own minimum probability. */
  above_mark: queryFlag.default(false),
  /** Lists only pairs that need this kind of decision. If it is given, `status` has no effect. */
  standing: standingFilter.optional(),
  order_by: pairOrder.default('similarity'),
  /** `true` lists only the most probable pair of each series. */
  one_per_series: queryFlag.default(false),
  scope: pairScope.default('project'),
  query: z.string().trim().max(MAX_PAIR_QUERY_CHARS).optional(),
  dismissed: queryFlag.default(false),
  /** `false` omits pairs with an undone decision. Such pairs are not suggested again. */
  undone: queryFlag.optional(),
});
export type PairsQuery = z.infer<typeof pairsQuery>;

export const pairList = z.object({
  duplicates: z.array(pair),
  total: z.int(),
  limit: z.int(),
  skip: z.int(),
  threshold_used: z.number(),
  /** The account's minimum probability of a pair that is worth a decision. */
  mark: z.number(),
  model_used: z.string(),
});
export type PairList = z.infer<typeof pairList>;

/** Sets the account's minimum probability of pairs in the queue. Null restores the default. */
export const pairMarkBody = z.object({ mark: z.number().min(0.05).max(0.95).nullable() });

export const pairKey = z.object({ issue1_id: id, issue2_id: id });
export type PairKey = z.infer<typeof pairKey>;

export const duplicateStatsQuery = z.object({
  project_ids: projectIdsQuery,
  status: statusFilter.default('opened'),
  similarity_threshold: z.coerce.number().min(0).max(1).default(SIMILARITY.similar),
  /** Minimum probability that both issues of a pair describe one problem. */
  probability_threshold: z.coerce.number().min(0).max(1).default(0),
  /** `true` replaces `probability_threshold` by the account's own minimum probability. */
  above_mark: queryFlag.default(false),
  /**
   * Counts only pairs that need this kind of decision. If it is given, `status` filters the issues
   * but not the pairs.
   */
  standing: standingFilter.optional(),
  /** `true` counts only the most probable pair of each series. */
  one_per_series: queryFlag.default(false),
  /** Counts the pairs within one project (`project`), or all pairs of the account (`account`). */
  scope: pairScope.default('account'),
});
export const duplicateStats = z.object({
  projects: z.array(
    z.object({ project_id: id, project_name: z.string(), duplicates: z.int(), total: z.int() }),
  ),
  threshold_used: z.number(),
  /** The account's minimum probability of a pair that is worth a decision. */
  mark: z.number(),
});
export type DuplicateStats = z.infer<typeof duplicateStats>;
