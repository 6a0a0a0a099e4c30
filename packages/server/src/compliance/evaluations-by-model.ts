import { factorOf } from '@winnow/analysis/readiness/factor';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import {
  evaluateIssuePrompt,
  InferenceCache,
  type InferenceStore,
  type LanguageModels,
  plainLine,
  plainReason,
  type Question,
  type StoredInference,
  type StoredModel,
} from '../ai/index.ts';
import type { IssueView } from '../issues/index.ts';
import type { Log } from '../platform/log.ts';
import type { StoredCriterion } from '../schema/compliance-tables.ts';
import type { Db } from '../schema/tables.ts';
import { citationsOf } from './citations.ts';
import { evaluatedIssue } from './evaluated-issue.ts';
import type { RuleEvaluations } from './evaluations-by-rules.ts';
import { type ResultKey, resultKeyOf } from './judges.ts';
import {
  claimResult,
  findResults,
  postponeResult,
  type StoredEvaluation,
  saveResults,
  type UnsavedResult,
} from './result-store.ts';

/** A question to a language model: to judge an issue by a prompt. */
export interface IssueQuestion extends Question, ResultKey {
  issue: IssueView;
  prompt: CompliancePrompt;
  model: StoredModel;
}

export type ModelEvaluations = InferenceCache<IssueQuestion, UnsavedResult, StoredEvaluation>;

export interface ModelEvaluationsOptions {
  db: Db;
  now: () => Date;
  log: Pick<Log, 'warn'>;
  languageModels: LanguageModels;
  /** Judges the same issue by rules, for the model's prompt. */
  byRules: Pick<RuleEvaluations, 'judge'>;
  /** Called when new results can be displayed. */
  onEvaluated: (accountId: string) => Promise<void>;
}

/** Creates the cache of scores by language models. */
export function createModelEvaluations(options: ModelEvaluationsOptions): ModelEvaluations {
  return new InferenceCache({
    store: resultsIn(options.db),
    ask: (accountId, question, signal) => askModel(options, accountId, question, signal),
    onAnswered: options.onEvaluated,
    now: options.now,
    log: options.log,
  });
}

/**
 * Returns the question about an issue's current texts. It includes the built-in analyst's result,
 * which depends on the same texts and prompt.
 */
export function questionOf(issue: IssueView, prompt: CompliancePrompt, model: StoredModel): IssueQuestion {
  return { about: `${issue.id} ${prompt.id}`, ...resultKeyOf(issue, prompt, model), issue, prompt, model };
}

/**
 * Asks a model to judge an issue by a prompt.
 *
 * @throws {ModelError} if the model gives no usable answer
 */
export async function askModel(
  { languageModels, byRules, now }: Pick<ModelEvaluationsOptions, 'languageModels' | 'byRules' | 'now'>,
  accountId: string,
  { issue, prompt, model }: Pick<IssueQuestion, 'issue' | 'prompt' | 'model'>,
  signal?: AbortSignal,
): Promise<UnsavedResult> {
  const builtIn = await byRules.judge(issue, prompt);
  const answer = await languageModels.ask(
    accountId,
    model,
    'compliance',
    evaluateIssuePrompt,
    { key: issue.key, issue: evaluatedIssue(issue), prompt, builtIn },
    signal,
  );
  const criteria = prompt.criteria.map(({ id }): StoredCriterion => {
    const said = answer.criteria.find((criterion) => criterion.id === id);
    if (!said || said.score === null) {
      return { id, score: null, note: 'The model did not judge this.', evidence: [], fix: null };
    }
    return {
      id,
      score: said.score,
      note: plainReason(said.note),
      evidence: citationsOf(issue, said.quotes),
      fix: said.fix === null || said.score === 1 ? null : plainLine(said.fix),
    };
  });
  const points = STORY_POINTS.find((size) => size === answer.points);
  return {
    factor: factorOf(
      criteria.map(({ score }, index) => ({ score, weight: prompt.criteria[index]?.weight ?? 0 })),
    ),
    findings: {
      reason: plainReason(answer.reason),
      suggestion: answer.suggestion === null ? null : plainLine(answer.suggestion),
      criteria,
      estimate:
        builtIn.estimate === null || points === undefined
          ? builtIn.estimate
          : { points, reason: 'Estimated by the model.' },
    },
    ai_model_id: model.id,
    ai_model_name: model.name,
    evaluated_at: now(),
  };
}

const STORY_POINTS = [1, 2, 3, 5, 8, 13];

function resultsIn(db: Db): InferenceStore<IssueQuestion, UnsavedResult, StoredEvaluation> {
  return {
    async findInferences(accountId, questions) {
      const found = await findResults(db, accountId, questions);
      return found.map(({ asked, newest }): StoredInference<StoredEvaluation> | undefined => {
        if (asked === null && newest === null) return undefined;
        return {
          questionHash: asked?.asked_as ?? Buffer.alloc(0),
          askedUntil: asked?.asked_until ?? new Date(0),
          hasFailed: asked?.has_failed ?? false,
          answered: newest === null ? null : { as: newest.asked_as, answer: newest },
        };
      });
    },
    claim: (accountId, question, time) => claimResult(db, accountId, question, time),
    save: (accountId, question, said) => saveResults(db, accountId, [{ ...question, ...said }]),
    hold: (accountId, question, until) => postponeResult(db, accountId, question, { asked_until: until }),
    fail: (accountId, question, until) =>
      postponeResult(db, accountId, question, { asked_until: until, has_failed: true }),
  };
}
