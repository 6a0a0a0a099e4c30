import type { JudgedIssue } from '@winnow/analysis/verdict';
import {
  InferenceCache,
  type InferenceStore,
  type ModelAnalyst,
  type PairToJudge,
  type Question,
  type StoredInference,
} from '../ai/index.ts';
import type { IssueView } from '../issues/index.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../schema/tables.ts';
import type { KnownLikelihood } from './pair-likelihood.ts';
import type { AskablePair } from './question-value.ts';
import {
  claimVerdict,
  type DecidedVerdict,
  findVerdicts,
  postponeVerdict,
  saveVerdict,
  type VerdictKey,
  type VerdictRow,
} from './verdict-store.ts';

/** Two issues and the scores of their pair. */
export interface FoundPair extends AskablePair {
  first: IssueView;
  second: IssueView;
  likelihood: KnownLikelihood;
}

/** A question to a language model about a pair. */
export interface PairQuestion extends Question, VerdictKey {
  found: FoundPair;
  pair: PairToJudge;
  analyst: ModelAnalyst;
}

/** Cache of the verdicts of language models. */
export type ModelVerdicts = InferenceCache<PairQuestion, DecidedVerdict>;

export interface ModelVerdictsOptions {
  db: Db;
  now: () => Date;
  log: Pick<Log, 'warn'>;
  /** Called when a new verdict or a failure was stored. */
  onJudged: (accountId: string) => Promise<void>;
}

export function createModelVerdicts({ db, now, log, onJudged }: ModelVerdictsOptions): ModelVerdicts {
  return new InferenceCache({
    store: verdictsIn(db),
    ask: async (accountId, { analyst, pair, questionHash }, signal) => {
      const [verdict] = await analyst.judge(accountId, [pair], signal);
      if (!verdict) throw new Error('The analyst left out a pair.');
      return {
        decided_as: questionHash,
        decision: verdict.decision,
        confidence: verdict.confidence,
        reason: verdict.reason,
        ai_model_id: analyst.author.aiModelId,
        ai_model_name: analyst.author.name,
        model_identifier: analyst.modelIdentifier,
        built_in_decision: verdict.builtIn.decision,
        built_in_relation: verdict.builtIn.relation,
        prompt: analyst.promptName,
        decided_at: now(),
      };
    },
    onAnswered: onJudged,
    now,
    log,
  });
}

/** Builds the question about a pair. The order of the two issues does not affect the question. */
export function questionOf(analyst: ModelAnalyst, found: FoundPair): PairQuestion {
  const { first, second, similarity, likelihood } = found;
  const [a, b] = first.id < second.id ? [first, second] : [second, first];
  const pair = { first: judgedIssue(a), second: judgedIssue(b), similarity, likelihood };
  const key = { issue_a: a.id, issue_b: b.id };
  return { ...key, about: pairKey(key), questionHash: analyst.fingerprint(pair), found, pair, analyst };
}

/** Returns the fields of an issue that analysts judge. */
export function judgedIssue({ key, title, description }: IssueView): JudgedIssue {
  return { key, title, body: description };
}

function verdictsIn(db: Db): InferenceStore<PairQuestion, DecidedVerdict> {
  return {
    async findInferences(accountId, questions) {
      const rows = await findVerdicts(db, accountId, questions);
      const byPair = new Map(rows.map((row) => [pairKey(row), row]));
      return questions.map(({ about }) => storedInferenceOf(byPair.get(about)));
    },
    claim: (accountId, question, time) => claimVerdict(db, accountId, question, question.questionHash, time),
    hold: (accountId, question, until) =>
      postponeVerdict(db, accountId, question, question.questionHash, { asked_until: until }),
    save: (accountId, question, verdict) => saveVerdict(db, accountId, question, verdict),
    fail: (accountId, question, until) =>
      postponeVerdict(db, accountId, question, question.questionHash, {
        asked_until: until,
        has_failed: true,
      }),
  };
}

function storedInferenceOf(row: VerdictRow | undefined): StoredInference<DecidedVerdict> | undefined {
  if (row === undefined) return undefined;
  const verdict = decidedOf(row);
  return {
    questionHash: row.asked_as,
    askedUntil: row.asked_until,
    hasFailed: row.has_failed,
    answered: verdict === null ? null : { as: verdict.decided_as, answer: verdict },
  };
}

function decidedOf(row: VerdictRow): DecidedVerdict | null {
  const { decided_as, decision, confidence, reason, ai_model_id, ai_model_name, prompt, decided_at } = row;
  const { model_identifier, built_in_decision, built_in_relation } = row;
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
  return {
    decided_as,
    decision,
    confidence,
    reason,
    ai_model_id,
    ai_model_name,
    model_identifier,
    built_in_decision,
    built_in_relation,
    prompt,
    decided_at,
  };
}

function pairKey({ issue_a, issue_b }: VerdictKey): string {
  return `${issue_a} ${issue_b}`;
}
