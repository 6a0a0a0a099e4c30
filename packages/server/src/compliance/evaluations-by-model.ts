import { createHash } from 'node:crypto';
import type { Evaluation } from '@winnow/analysis/readiness';
import type { CompliancePrompt } from '@winnow/contract/compliance';
import { plainReason } from '../ai/analyst.ts';
import { type AnswerStore, Asking, type Kept, type Question } from '../ai/asking.ts';
import type { LanguageModels, StoredModel } from '../ai/model.ts';
import { evaluateIssuePrompt } from '../ai/prompts/evaluate-issue.ts';
import { nameOf } from '../ai/prompts/prompt.ts';
import type { IssueView } from '../issues/service.ts';
import type { Log } from '../platform/log.ts';
import type { Db, StoredCriterion } from '../schema/tables.ts';
import { citationsOf } from './citations.ts';
import { evaluatedIssue } from './evaluated-issue.ts';
import {
  claimResult,
  type Evaluated,
  failResult,
  findResults,
  type ResultKey,
  saveResults,
} from './result-store.ts';

/** What a language model is asked about an issue. */
export interface IssueQuestion extends Question, ResultKey {
  issue: IssueView;
  prompt: CompliancePrompt;
  model: StoredModel;
}

/** What a model said of an issue, not stored yet. */
export type Said = Pick<Evaluated, 'factor' | 'findings' | 'ai_model_id' | 'ai_model_name' | 'evaluated_at'>;
export type ModelEvaluations = Asking<IssueQuestion, Said, Evaluated>;

export interface ModelEvaluationsOptions {
  db: Db;
  now: () => Date;
  log: Pick<Log, 'warn'>;
  languageModels: LanguageModels;
  /** What the built-in analyst finds of the same. */
  byRules: (issue: IssueView, prompt: CompliancePrompt) => Promise<Evaluation>;
  /** Told when there is more to see. */
  onEvaluated: (accountId: string) => Promise<void>;
}

/** Scores by language models. */
export function createModelEvaluations(options: ModelEvaluationsOptions): ModelEvaluations {
  return new Asking({
    store: resultsIn(options.db),
    ask: (accountId, question, signal) => askModel(options, accountId, question, signal),
    onAnswered: options.onEvaluated,
    now: options.now,
    log: options.log,
  });
}

/**
 * The question about an issue as it is now. Its form is a hash of the texts, the prompt in its version, and the model with
 * its address; what the built-in analyst found goes into the question, too, and follows from the same.
 */
export function questionOf(issue: IssueView, prompt: CompliancePrompt, model: StoredModel): IssueQuestion {
  const { id, provider, identifier, apiUrl } = model;
  const texts = [issue.key, issue.title, issue.description, issue.issue_type];
  const all = [nameOf(evaluateIssuePrompt), prompt.id, prompt.version, id, provider, identifier, apiUrl];
  const askedAs = createHash('sha256')
    .update(JSON.stringify([...all, ...texts]))
    .digest();
  const about = `${issue.id} ${prompt.id}`;
  return { about, askedAs, issueId: issue.id, promptId: prompt.id, issue, prompt, model };
}

/** Has a model judge an issue. @throws {ModelError} */
export async function askModel(
  { languageModels, byRules, now }: Pick<ModelEvaluationsOptions, 'languageModels' | 'byRules' | 'now'>,
  accountId: string,
  { issue, prompt, model }: Pick<IssueQuestion, 'issue' | 'prompt' | 'model'>,
  signal?: AbortSignal,
): Promise<Said> {
  const builtIn = await byRules(issue, prompt);
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
      fix: said.fix === null || said.score === 1 ? null : plainReason(said.fix),
    };
  });
  const points = POINTS.find((size) => size === answer.points);
  return {
    factor: weighted(prompt, criteria),
    findings: {
      reason: plainReason(answer.reason),
      suggestion: answer.suggestion === null ? null : plainReason(answer.suggestion),
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

const POINTS = [1, 2, 3, 5, 8, 13];

/** The mean of what was judged, by weight, in hundredths and above 0; 0 when nothing was. */
function weighted({ criteria }: CompliancePrompt, results: readonly StoredCriterion[]): number {
  let sum = 0;
  let weights = 0;
  for (const [index, { weight }] of criteria.entries()) {
    const score = results[index]?.score ?? null;
    if (score === null) continue;
    sum += weight * score;
    weights += weight;
  }
  return weights === 0 ? 0 : Math.max(0.01, Math.round((sum / weights) * 100) / 100);
}

function resultsIn(db: Db): AnswerStore<IssueQuestion, Said, Evaluated> {
  return {
    async find(accountId, questions) {
      const found = await findResults(db, accountId, questions);
      return found.map(({ asked, newest }): Kept<Evaluated> | undefined => {
        if (asked === null && newest === null) return undefined;
        return {
          askedAs: asked?.asked_as ?? Buffer.alloc(0),
          askedUntil: asked?.asked_until ?? new Date(0),
          hasFailed: asked?.has_failed ?? false,
          answered: newest === null ? null : { as: newest.asked_as, answer: newest },
        };
      });
    },
    claim: (accountId, question, time) => claimResult(db, accountId, question, time),
    save: (accountId, question, said) => saveResults(db, accountId, [{ ...question, ...said }]),
    fail: (accountId, question, until) => failResult(db, accountId, question, until),
  };
}
