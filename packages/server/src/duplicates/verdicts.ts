import type { AnalystVerdict, Relation, RuleVerdict } from '@winnow/analysis/verdict';
import { CHANGE_REQUEST } from '@winnow/contract/issue';
import { BUILT_IN_ANALYST, type Verdict } from '@winnow/contract/verdict';
import {
  type BuiltInAnalyst,
  type CostBudget,
  type DefaultModel,
  type InferenceState,
  type ModelAnalyst,
  questionSelector,
  replacedModel,
} from '../ai/index.ts';
import type { Ledger } from '../changes/index.ts';
import { findIssues, type IssueView } from '../issues/index.ts';
import { notFound } from '../platform/errors.ts';
import { SingleFlight } from '../platform/single-flight.ts';
import { RESPOND_AFTER_MS, withSoftDeadline } from '../platform/soft-deadline.ts';
import type { Db } from '../schema/tables.ts';
import { type KnownLikelihood, likelihoodOf, seriesOfPairs } from './pair-likelihood.ts';
import { isWorthAsking, valueOfAsking } from './question-value.ts';
import * as store from './store.ts';
import type { DecidedVerdict } from './verdict-store.ts';
import {
  type FoundPair,
  judgedIssue,
  type ModelVerdicts,
  type PairQuestion,
  questionOf,
} from './verdicts-by-model.ts';

/**
 * Maximum number of the built-in analyst's verdicts cached in memory. A verdict is cheap to
 * compute, but may have to wait for a running analysis.
 */
const MAX_CACHED_VERDICTS = 10_000;

type NamedPair = { issue1_id: string; issue2_id: string };
/** Two issues and their stored pair. `row` is undefined if the pair is not stored. */
interface ReadPair {
  first: IssueView;
  second: IssueView;
  row: store.PairRow | undefined;
  /** Stored scores of the pair; undefined if it is not stored or not scored yet. */
  stored: KnownScores | undefined;
}
interface KnownScores {
  similarity: number;
  likelihood: KnownLikelihood;
}
type Judged = Pick<
  Verdict,
  | 'probability'
  | 'decision'
  | 'confidence'
  | 'reason'
  | 'relation'
  | 'suggestion'
  | 'ai_model_id'
  | 'ai_model_name'
  | 'instead_of'
  | 'decided_at'
  | 'stale'
>;

export interface VerdictsOptions {
  db: Db;
  ledger: Ledger;
  now: () => Date;
  builtIn: BuiltInAnalyst;
  /** Computes the scores of pairs that are not stored. Omits pairs that cannot be compared. */
  score: (accountId: string, pairs: readonly (readonly [string, string])[]) => Promise<store.StoredScore[]>;
  /**
   * Returns the default model, even if it is paused or has reached its cap. `analyst` is null if
   * the model cannot be asked.
   */
  defaultOf: (
    accountId: string,
    budget: CostBudget | null,
  ) => Promise<DefaultModel & { analyst: ModelAnalyst | null }>;
  /**
   * Reserves up to `wanted` model calls for a list within the hourly limit. Returns the number of
   * calls reserved.
   */
  takeForList: (accountId: string, modelId: string, wanted: number) => Promise<number>;
  byModel: ModelVerdicts;
}

/** Gives verdicts on pairs: how the two issues relate, and why. */
export class Verdicts {
  readonly #options: VerdictsOptions;
  readonly #known = new Map<string, RuleVerdict>();
  readonly #running = new SingleFlight<void>();

  constructor(options: VerdictsOptions) {
    this.#options = options;
  }

  /**
   * Returns a verdict on each pair, in the order of the request. If the language model is
   * unavailable or takes over two seconds, the built-in analyst's verdict replaces its own, and
   * `instead_of` states the reason. The decision is `checking` if the built-in analyst takes too
   * long as well.
   *
   * Without `onRequest`, the model is asked only about pairs worth asking about. A call for several
   * pairs is subject to the hourly limit for lists. Equal concurrent calls share one computation.
   * Throws `not_found` for an unknown issue.
   */
  async check(
    accountId: string,
    named: readonly NamedPair[],
    { budget, onRequest = false }: { budget: CostBudget | null; onRequest?: boolean },
  ): Promise<Verdict[]> {
    const { db } = this.#options;
    const [issues, known] = await Promise.all([
      findIssues(db, accountId, [...new Set(named.flatMap((pair) => [pair.issue1_id, pair.issue2_id]))]),
      store.findPairs(
        db,
        accountId,
        named.map(({ issue1_id, issue2_id }) => ({ issueId: issue1_id, otherId: issue2_id })),
      ),
    ]);
    const byId = new Map(issues.map((issue) => [issue.id, issue]));
    const series = await seriesOfPairs(db, accountId, known);
    const rows = new Map(known.map((row) => [pairKey(row.issue_a, row.issue_b), row]));
    const pairs = named.map(({ issue1_id, issue2_id }): ReadPair => {
      const [first, second] = [byId.get(issue1_id), byId.get(issue2_id)];
      if (!first || !second) throw notFound();
      const row = rows.get(pairKey(issue1_id, issue2_id));
      if (row === undefined || !store.isScored(row)) return { first, second, row, stored: undefined };
      const stored = { similarity: row.similarity, likelihood: likelihoodOf(row, series) };
      return { first, second, row, stored };
    });
    const [judged, decisions] = await Promise.all([
      this.#judge(accountId, pairs, { budget, onRequest }),
      this.#options.ledger.decisionsOf(
        accountId,
        known.flatMap(({ change_id }) => (change_id === null ? [] : [change_id])),
      ),
    ]);
    return pairs.map(({ first, second, row }, index): Verdict => {
      const decision = decisions.find(({ id }) => id === row?.change_id);
      return {
        issue1_id: first.id,
        issue2_id: second.id,
        ...(judged[index] ?? NOT_YET_JUDGED),
        resolution: row?.resolution ?? null,
        resolution_at: decision?.applied_at?.toISOString() ?? null,
        resolved_by: decision?.decided_by ?? null,
      };
    });
  }

  /**
   * Returns the verdicts that are available within two seconds. Prefers verdicts of the language
   * model to those of the built-in analyst.
   */
  #judge(
    accountId: string,
    pairs: readonly ReadPair[],
    { budget, onRequest }: { budget: CostBudget | null; onRequest: boolean },
  ): Promise<Judged[]> {
    return withSoftDeadline(RESPOND_AFTER_MS, async (late) => {
      const { byModel, defaultOf, takeForList } = this.#options;
      const [working, computed] = await Promise.all([
        defaultOf(accountId, budget),
        Promise.race([this.#computeScores(accountId, pairs), late]),
      ]);
      const { analyst } = working;
      const found = pairs.map((pair) => foundPair(pair, computed ?? new Map()));
      const comparable = found.filter((pair) => pair !== null);
      const questions = analyst ? comparable.map((pair) => questionOf(analyst, pair)) : [];
      const select = questionSelector(working, {
        isList: pairs.length > 1,
        takeForList: (modelId, wanted) => takeForList(accountId, modelId, wanted),
        ...(onRequest ? {} : { rank: byValue }),
      });
      const [said, known] = await Promise.all([
        byModel.resolve(accountId, questions, late, select),
        this.#judgeByRules(accountId, comparable, late),
      ]);
      const saidOf = new Map(comparable.map((pair, index) => [pair, said[index]]));
      return pairs.map((read, index) => {
        const pair = found[index];
        if (!pair) return computed ? this.#presentIncomparable(read) : NOT_YET_JUDGED;
        const byTheModel = saidOf.get(pair);
        if (byTheModel?.state === 'answered') return presentModel(byTheModel, pair);
        const verdict = known.get(verdictKey(accountId, pair));
        if (!verdict) return { ...NOT_YET_JUDGED, probability: pair.likelihood.probability };
        const unasked = isWorthAsking(pair) ? 'waiting' : 'not_worth_asking';
        const insteadOf = replacedModel(working, byTheModel?.state, unasked);
        return { ...this.#presentRules(verdict, pair), instead_of: insteadOf };
      });
    });
  }

  /** Computes the scores of pairs that are not stored. Returns them by pair key. */
  async #computeScores(
    accountId: string,
    pairs: readonly ReadPair[],
  ): Promise<ReadonlyMap<string, KnownScores>> {
    const missing = pairs.filter(({ stored }) => stored === undefined);
    if (missing.length === 0) return new Map();
    const { db, score } = this.#options;
    const scores = await score(
      accountId,
      missing.map(({ first, second }) => [first.id, second.id]),
    );
    const computed = await store.computePairs(db, accountId, scores);
    return new Map(
      computed.map(({ issue_a, issue_b, similarity, probability, is_mutual_best, series_frame }) => {
        const likelihood = { probability, isMutualBest: is_mutual_best, seriesFrame: series_frame };
        return [pairKey(issue_a, issue_b), { similarity, likelihood }];
      }),
    );
  }

  /**
   * Judges the pairs whose verdict is not cached, and returns all cached verdicts of the built-in
   * analyst by key. Stops waiting for new verdicts when `late` resolves.
   */
  async #judgeByRules(
    accountId: string,
    pairs: readonly FoundPair[],
    late: Promise<unknown>,
  ): Promise<ReadonlyMap<string, RuleVerdict>> {
    const missing = new Map<string, FoundPair>();
    for (const pair of pairs) {
      const key = verdictKey(accountId, pair);
      if (!this.#known.has(key)) missing.set(key, pair);
    }
    if (missing.size > 0) await Promise.race([this.#judgeNew(accountId, missing), late]);
    return this.#known;
  }

  /**
   * Judges pairs whose verdict is not cached. Concurrent calls for the same pairs share one
   * computation.
   */
  #judgeNew(accountId: string, missing: ReadonlyMap<string, FoundPair>): Promise<void> {
    const batch = [...missing.keys()].join('\n');
    return this.#running.run(batch, () => this.#judgeAndRemember(accountId, missing));
  }

  async #judgeAndRemember(accountId: string, missing: ReadonlyMap<string, FoundPair>): Promise<void> {
    const verdicts = await this.#options.builtIn.judge(
      accountId,
      [...missing.values()].map(({ first, second, similarity, likelihood }) => ({
        first: judgedIssue(first),
        second: judgedIssue(second),
        similarity,
        likelihood,
      })),
    );
    for (const [index, key] of [...missing.keys()].entries()) {
      const verdict = verdicts[index];
      if (verdict) this.#known.set(key, verdict);
    }
    // A Map iterates in insertion order, so the first keys belong to the oldest verdicts.
    for (const key of this.#known.keys()) {
      if (this.#known.size <= MAX_CACHED_VERDICTS) break;
      this.#known.delete(key);
    }
  }

  #presentIncomparable({ first, second }: ReadPair): Judged {
    const hasRequest = [first, second].some(({ issue_type }) => issue_type === CHANGE_REQUEST);
    return {
      ...NOT_YET_JUDGED,
      decision: 'undecided',
      relation: 'unclear',
      confidence: 0,
      reason: hasRequest ? CHANGE_REQUEST_REASON : UNANALYZED_REASON,
      decided_at: this.#options.now().toISOString(),
    };
  }

  #presentRules(
    { decision, relation, confidence, reason }: RuleVerdict,
    pair: FoundPair,
  ): Omit<Judged, 'instead_of'> {
    return {
      probability: pair.likelihood.probability,
      decision,
      relation,
      confidence,
      reason,
      suggestion: suggestionFor(decision, pair),
      ai_model_id: null,
      ai_model_name: BUILT_IN_ANALYST,
      decided_at: this.#options.now().toISOString(),
      stale: false,
    };
  }
}

/** Combines a pair with its stored or computed scores. Returns null if neither exist. */
function foundPair(
  { first, second, row, stored }: ReadPair,
  computed: ReadonlyMap<string, KnownScores>,
): FoundPair | null {
  const scores = stored ?? computed.get(pairKey(first.id, second.id));
  if (scores === undefined) return null;
  const isUndecided = row !== undefined && row.standing !== 'settled' && row.resolution === null;
  return { first, second, ...scores, isUndecided };
}

function byValue(questions: readonly PairQuestion[]): PairQuestion[] {
  return questions
    .filter(({ found }) => isWorthAsking(found))
    .toSorted((one, other) => valueOfAsking(other.found) - valueOfAsking(one.found));
}

const CHANGE_REQUEST_REASON = 'Change requests are not compared with other issues.';
const UNANALYZED_REASON = 'The texts have not been analyzed yet, so the two cannot be compared.';

/** Placeholder for a pair that has no verdict yet. */
const NOT_YET_JUDGED: Judged = {
  probability: null,
  decision: 'checking',
  confidence: null,
  reason: '',
  relation: null,
  suggestion: null,
  ai_model_id: null,
  ai_model_name: BUILT_IN_ANALYST,
  instead_of: null,
  decided_at: null,
  stale: false,
};

function presentModel(
  said: Extract<InferenceState<DecidedVerdict>, { state: 'answered' }>,
  pair: FoundPair,
): Judged {
  const { decision, confidence, reason, ai_model_id, ai_model_name, decided_at } = said.answer;
  return {
    probability: pair.likelihood.probability,
    decision,
    relation: RELATION_OF[decision],
    confidence,
    reason,
    suggestion: suggestionFor(decision, pair),
    ai_model_id,
    ai_model_name,
    instead_of: null,
    decided_at: decided_at.toISOString(),
    stale: said.stale,
  };
}

function suggestionFor(decision: AnalystVerdict['decision'], { first, second }: FoundPair): string | null {
  switch (decision) {
    case 'duplicate': {
      const [older, newer] = first.created_at <= second.created_at ? [first, second] : [second, first];
      if (newer.state === 'opened') return `Close ${newer.key} as a duplicate of ${older.key}.`;
      return older.state === 'opened' ? `Close ${older.key} as a duplicate of ${newer.key}.` : null;
    }
    case 'overlapping':
      return 'Compare the two: close one if they are the same, otherwise add to each what sets it apart.';
    case 'unrelated':
      return 'Mark the pair as unrelated.';
    case 'undecided':
      return null;
  }
}

/** For each decision of a model: the relation that it implies. */
const RELATION_OF: Readonly<Record<AnalystVerdict['decision'], Relation>> = {
  duplicate: 'same',
  overlapping: 'related',
  unrelated: 'different',
  undecided: 'unclear',
};

/** Returns the cache key of a verdict. It changes when a text or a score of the pair changes. */
function verdictKey(accountId: string, { first, second, similarity, likelihood }: FoundPair): string {
  const texts = [first, second].map(({ id, content_hash }) => `${id} ${content_hash}`);
  return [accountId, ...texts, similarity, JSON.stringify(likelihood)].join(' ');
}

function pairKey(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
