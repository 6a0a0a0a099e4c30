import { setTimeout as pause } from 'node:timers/promises';
import type { JudgedIssue, Judgment } from '@winnow/analysis/judge';
import { BUILT_IN_ANALYST, type Verdict } from '@winnow/contract/verdict';
import type { Ledger } from '../changes/ledger.ts';
import { findIssues, type IssueView } from '../issues/service.ts';
import { invalid, notFound } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import * as store from './store.ts';

/** After so long a call answers with what there is, and the rest as `checking`. */
const ANSWER_AFTER_MS = 2_000;

/** Judgments kept in memory. They cost little to make, but an analysis that runs may be before them. */
const MOST_KNOWN = 10_000;

type NamedPair = { issue1_id: string; issue2_id: string };
type JudgedPair = { first: JudgedIssue; second: JudgedIssue; similarity: number };

type FoundPair = { first: IssueView; second: IssueView; row: store.PairRow | undefined };

export interface VerdictsOptions {
  db: Db;
  ledger: Ledger;
  now: () => Date;
  /** The built-in analyst, who knows which words are telling in the account. */
  judge: (accountId: string, pairs: JudgedPair[]) => Promise<Judgment[]>;
}

/** What the issues of a pair are to each other, and why. */
export class Verdicts {
  readonly #options: VerdictsOptions;
  readonly #known = new Map<string, Judgment>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: VerdictsOptions) {
    this.#options = options;
  }

  /**
   * A verdict on each pair, in their order: `checking` where judging takes longer than two seconds, since it waits for an
   * analysis that runs. Asking for the same again joins in the judging that goes on. 404 when an issue is not there.
   */
  async check(accountId: string, named: readonly NamedPair[]): Promise<Verdict[]> {
    for (const [index, { issue1_id, issue2_id }] of named.entries()) {
      if (issue1_id !== issue2_id) continue;
      throw invalid([{ path: `pairs.${index}.issue2_id`, message: 'Name two different issues.' }]);
    }
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
    const stored = new Map(known.map((row) => [pairKey(row.issue_a, row.issue_b), row]));
    const pairs = named.map(({ issue1_id, issue2_id }) => {
      const [first, second] = [byId.get(issue1_id), byId.get(issue2_id)];
      if (!first || !second) throw notFound();
      return { first, second, row: stored.get(pairKey(issue1_id, issue2_id)) };
    });
    const [judgments, decisions] = await Promise.all([
      this.#judge(accountId, pairs),
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
        ...this.#presentJudgment(judgments[index], first, second),
        resolution: row?.resolution ?? null,
        resolution_at: decision?.applied_at?.toISOString() ?? null,
        resolved_by: decision?.decided_by ?? null,
        ai_model_id: null,
        ai_model_name: BUILT_IN_ANALYST,
        stale: false,
      };
    });
  }

  /** The judgments there are within two seconds: those known of the same texts before, and all others or none. */
  async #judge(accountId: string, pairs: readonly FoundPair[]): Promise<(Judgment | undefined)[]> {
    const keys = pairs.map((pair) => judgedKey(accountId, pair));
    const missing = new Map<string, FoundPair>();
    for (const [index, pair] of pairs.entries()) {
      const key = keys[index] ?? '';
      if (!this.#known.has(key)) missing.set(key, pair);
    }
    if (missing.size > 0) {
      const waiting = new AbortController();
      await Promise.race([
        this.#judgeNew(accountId, missing),
        pause(ANSWER_AFTER_MS, undefined, { signal: waiting.signal }),
      ]).finally(() => waiting.abort());
    }
    return keys.map((key) => this.#known.get(key));
  }

  /** Has the missing pairs judged; who asks for the same meanwhile waits for the same. */
  #judgeNew(accountId: string, missing: ReadonlyMap<string, FoundPair>): Promise<void> {
    const batch = [...missing.keys()].join('\n');
    const running = this.#running.get(batch) ?? this.#judgeAndRemember(accountId, missing);
    this.#running.set(batch, running);
    const forget = () => this.#running.delete(batch);
    running.then(forget, forget);
    return running;
  }

  async #judgeAndRemember(accountId: string, missing: ReadonlyMap<string, FoundPair>): Promise<void> {
    const judgments = await this.#options.judge(
      accountId,
      [...missing.values()].map(({ first, second, row }) => ({
        first: judgedIssue(first),
        second: judgedIssue(second),
        similarity: similarityOf(row),
      })),
    );
    for (const [index, key] of [...missing.keys()].entries()) {
      const judgment = judgments[index];
      if (judgment) this.#known.set(key, judgment);
    }
    // A Map keeps its order, so the first ones are those judged longest ago.
    for (const key of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(key);
    }
  }

  #presentJudgment(
    judgment: Judgment | undefined,
    first: IssueView,
    second: IssueView,
  ): Pick<Verdict, 'decision' | 'confidence' | 'reason' | 'suggestion' | 'decided_at'> {
    if (!judgment)
      return { decision: 'checking', confidence: null, reason: '', suggestion: null, decided_at: null };
    return {
      ...judgment,
      suggestion: suggestionFor(judgment, first, second),
      decided_at: this.#options.now().toISOString(),
    };
  }
}

function suggestionFor({ decision }: Judgment, first: IssueView, second: IssueView): string | null {
  switch (decision) {
    case 'duplicate': {
      const [older, newer] = first.created_at <= second.created_at ? [first, second] : [second, first];
      if (newer.state === 'opened') return `Close ${newer.key} as a duplicate of ${older.key}.`;
      return older.state === 'opened' ? `Close ${older.key} as a duplicate of ${newer.key}.` : null;
    }
    case 'overlapping':
      return 'Read both: close one if they are the same, else let each say what it leaves out.';
    case 'unrelated':
      return 'Mark the pair as unrelated.';
    case 'undecided':
      return null;
  }
}

function judgedIssue({ key, title, description }: IssueView): JudgedIssue {
  return { key, title, body: description };
}

/** The same texts with the same similarity are judged alike. */
function judgedKey(accountId: string, { first, second, row }: FoundPair): string {
  const texts = [first, second].map(({ id, content_hash }) => `${id} ${content_hash}`);
  return [accountId, ...texts, similarityOf(row)].join(' ');
}

/** What is not stored is not alike enough to be. */
function similarityOf(row: store.PairRow | undefined): number {
  return row?.similarity ?? 0;
}

function pairKey(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
