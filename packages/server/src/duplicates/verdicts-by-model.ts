import type { JudgedIssue } from '@winnow/analysis/judge';
import type { ModelAnalyst, PairToJudge } from '../ai/analyst.ts';
import { ModelError } from '../ai/model-error.ts';
import type { IssueView } from '../issues/service.ts';
import type { Log } from '../platform/log.ts';
import { createHostLimiter } from '../platform/outbound/limiter.ts';
import type { Db } from '../schema/tables.ts';
import {
  claimVerdict,
  type DecidedVerdict,
  failVerdict,
  findVerdicts,
  saveVerdict,
  type VerdictKey,
  type VerdictRow,
} from './verdict-store.ts';

/** A question takes 30 seconds at most; who died meanwhile keeps others from asking no longer than this. */
const CLAIM_MS = 60_000;
/** When a model could not be asked, the same is asked again after this; when it gave no answer to this pair, later. */
const AGAIN_AFTER_MS = 60_000;
const AGAIN_ABOUT_PAIR_AFTER_MS = 3_600_000;
/** Pairs of one account that are judged at a time, in one process. */
const JUDGED_AT_ONCE = 4;

/** Two issues and how alike they are. */
export interface FoundPair {
  first: IssueView;
  second: IssueView;
  similarity: number;
}

/** What a language model says of a pair: nothing yet, nothing at all, or a verdict, which may be of earlier texts. */
export type ModelVerdict =
  | { state: 'checking' | 'failed' }
  | { state: 'decided'; verdict: DecidedVerdict; stale: boolean };

export interface ModelVerdictsOptions {
  db: Db;
  now: () => Date;
  log: Pick<Log, 'warn'>;
  /** Told when there is more to see of the account's pairs. */
  onJudged: (accountId: string) => Promise<void>;
}

/** Verdicts of language models: each is asked for once, kept while its texts stay the same, and shared by all who ask. */
export class ModelVerdicts {
  readonly #options: ModelVerdictsOptions;
  readonly #places = createHostLimiter({ concurrency: JUDGED_AT_ONCE });
  readonly #running = new Map<string, Promise<ModelError | null>>();
  readonly #stop = new AbortController();

  constructor(options: ModelVerdictsOptions) {
    this.#options = options;
  }

  /**
   * What the model says of each pair. What it was not asked before it is asked now; what it has not said when `late` comes
   * is told by `onJudged`.
   */
  async look(
    accountId: string,
    analyst: ModelAnalyst,
    pairs: readonly FoundPair[],
    late: Promise<unknown>,
  ): Promise<ModelVerdict[]> {
    const questions = pairs.map((pair) => questionOf(analyst, pair));
    const before = await this.#read(accountId, questions);
    const open = questions.filter(
      (_question, index) => before[index]?.state !== 'failed' && !isFresh(before[index]),
    );
    if (open.length === 0) return before;
    await Promise.race([Promise.all(open.map((question) => this.judge(accountId, analyst, question))), late]);
    return this.#read(accountId, questions);
  }

  /**
   * Has a pair judged, unless that is done or under way. Answers the model's failure, if it failed; never rejects: what
   * went wrong here is logged, and the pair can be asked about again after a minute.
   */
  judge(accountId: string, analyst: ModelAnalyst, question: Question): Promise<ModelError | null> {
    const key = `${accountId} ${question.issue_a} ${question.issue_b} ${question.askedAs.toString('hex')}`;
    const running = this.#running.get(key) ?? this.#judgeLogged(accountId, analyst, question);
    this.#running.set(key, running);
    const forget = () => this.#running.delete(key);
    running.then(forget, forget);
    return running;
  }

  /** Stops asking, and waits until nothing is under way any more. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running.values());
  }

  async #judgeLogged(
    accountId: string,
    analyst: ModelAnalyst,
    question: Question,
  ): Promise<ModelError | null> {
    try {
      return await this.#places.run(accountId, () => this.#judge(accountId, analyst, question), {
        signal: this.#stop.signal,
      });
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#options.log.warn({ error }, 'A pair could not be judged.');
      return null;
    }
  }

  async #judge(accountId: string, analyst: ModelAnalyst, question: Question): Promise<ModelError | null> {
    const { db, now, onJudged } = this.#options;
    const { askedAs } = question;
    const after = (ms: number) => new Date(now().getTime() + ms);
    const claim = { now: now(), until: after(CLAIM_MS) };
    if (!(await claimVerdict(db, accountId, question, askedAs, claim))) return null;
    try {
      const [judgment] = await analyst.judge(accountId, [question.pair], this.#stop.signal);
      if (!judgment) throw new Error('The analyst left out a pair.');
      await saveVerdict(db, accountId, question, {
        decided_as: askedAs,
        decision: judgment.decision,
        confidence: judgment.confidence,
        reason: judgment.reason,
        ai_model_id: analyst.author.aiModelId,
        ai_model_name: analyst.author.name,
        prompt: analyst.promptName,
        decided_at: now(),
      });
      await onJudged(accountId);
      return null;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const pauseMs = error.concernsModel ? AGAIN_AFTER_MS : AGAIN_ABOUT_PAIR_AFTER_MS;
      await failVerdict(db, accountId, question, askedAs, after(pauseMs));
      await onJudged(accountId);
      return error;
    }
  }

  async #read(accountId: string, questions: readonly Question[]): Promise<ModelVerdict[]> {
    const { db, now } = this.#options;
    const rows = await findVerdicts(db, accountId, questions);
    const byPair = new Map(rows.map((row) => [pairKey(row), row]));
    return questions.map((question) => read(byPair.get(pairKey(question)), question.askedAs, now()));
  }
}

/** What a model is asked about a pair. */
export interface Question extends VerdictKey {
  /** What its answer depends on. */
  askedAs: Buffer;
  pair: PairToJudge;
}

/** The question about a pair: the same whichever of its issues is named first. */
export function questionOf(analyst: ModelAnalyst, { first, second, similarity }: FoundPair): Question {
  const [a, b] = first.id < second.id ? [first, second] : [second, first];
  const pair = { first: judgedIssue(a), second: judgedIssue(b), similarity };
  return { issue_a: a.id, issue_b: b.id, pair, askedAs: analyst.fingerprint(pair) };
}

/** An issue as it is judged. */
export function judgedIssue({ key, title, description }: IssueView): JudgedIssue {
  return { key, title, body: description };
}

function read(row: VerdictRow | undefined, askedAs: Buffer, now: Date): ModelVerdict {
  if (row === undefined) return { state: 'checking' };
  const isDecided = row.decided_as?.equals(askedAs) === true;
  if (!isDecided && row.has_failed && row.asked_as.equals(askedAs) && row.asked_until > now) {
    return { state: 'failed' };
  }
  const verdict = decidedOf(row);
  return verdict === null ? { state: 'checking' } : { state: 'decided', verdict, stale: !isDecided };
}

function decidedOf(row: VerdictRow): DecidedVerdict | null {
  const { decided_as, decision, confidence, reason, ai_model_id, ai_model_name, prompt, decided_at } = row;
  if (
    decided_as === null ||
    decision === null ||
    confidence === null ||
    reason === null ||
    ai_model_id === null ||
    ai_model_name === null ||
    prompt === null ||
    decided_at === null
  ) {
    return null;
  }
  return { decided_as, decision, confidence, reason, ai_model_id, ai_model_name, prompt, decided_at };
}

function isFresh(verdict: ModelVerdict | undefined): boolean {
  return verdict?.state === 'decided' && !verdict.stale;
}

function pairKey({ issue_a, issue_b }: VerdictKey): string {
  return `${issue_a} ${issue_b}`;
}
