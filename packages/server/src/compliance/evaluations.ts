import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EvaluatedIssue, Evaluation } from '@winnow/analysis/readiness';
import { RULES_VERSION } from '@winnow/analysis/readiness/version';
import type { CompliancePrompt, ComplianceResult } from '@winnow/contract/compliance';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { Standing } from '../ai/asking.ts';
import type { LanguageModels, StoredModel } from '../ai/model.ts';
import { ModelError } from '../ai/model-error.ts';
import { findIssues, type IssueView } from '../issues/service.ts';
import { notFound, upstreamFailed } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../schema/tables.ts';
import { citationsAt } from './citations.ts';
import { evaluatedIssue } from './evaluated-issue.ts';
import { askModel, type ModelEvaluations, questionOf, type Said } from './evaluations-by-model.ts';
import { presentChecking, presentResult } from './present.ts';
import type { Prompts } from './prompts.ts';
import {
  type Evaluated,
  findResults,
  listHistory,
  newestResults,
  type ResultKey,
  saveResults,
} from './result-store.ts';

/** After so long a call answers with what there is, and the rest as `checking`. */
const ANSWER_AFTER_MS = 2_000;

/** Judges issues by rules, off the event loop: the same always gets the same. */
export type RuleBasedJudge = (
  issues: readonly EvaluatedIssue[],
  criteria: CompliancePrompt['criteria'],
) => Promise<Evaluation[]>;

export interface EvaluationsOptions {
  db: Db;
  now: () => Date;
  prompts: Prompts;
  byRules: RuleBasedJudge;
  byModel: ModelEvaluations;
  languageModels: LanguageModels;
  /** The account's model, where one works for it. */
  modelOf: (accountId: string) => Promise<StoredModel | null>;
  /** Told when there is more to see than was answered. */
  onEvaluated: (accountId: string) => Promise<void>;
  log: Pick<Log, 'warn'>;
}

/** How issues stand by prompts. */
export class Evaluations {
  readonly #options: EvaluationsOptions;
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: EvaluationsOptions) {
    this.#options = options;
  }

  /**
   * How each issue stands, in their order, without those that are gone: `checking`, or an earlier result that is `stale`,
   * where judging takes longer than two seconds. Where a language model has nothing to say, the built-in analyst answers.
   * Results are kept; asking for the same again joins in the judging that goes on. 404 when the prompt, or every one of the
   * issues, is not there.
   */
  async check(accountId: string, promptId: string, issueIds: readonly string[]): Promise<ComplianceResult[]> {
    const prompt = await this.#options.prompts.find(accountId, promptId);
    const issues = await this.#issues(accountId, issueIds);
    const waiting = new AbortController();
    const late = pause(ANSWER_AFTER_MS, undefined, { signal: waiting.signal }).catch((error: unknown) => {
      if (!waiting.signal.aborted) throw error;
    });
    try {
      const model = await this.#options.modelOf(accountId);
      const questions = model ? issues.map((issue) => questionOf(issue, prompt, model)) : [];
      const said = await this.#options.byModel.look(accountId, questions, late);
      const rest = issues.filter((_issue, index) => isLeft(said[index]));
      const byRules = await this.#judgeByRules(accountId, prompt, rest, late);
      return issues.map((issue, index) => {
        const standing = isLeft(said[index]) ? byRules.get(issue.id) : said[index];
        if (standing?.state !== 'answered') return presentChecking(issue, prompt, model);
        return presentResult(issue, prompt, standing.answer, standing.stale);
      });
    } finally {
      waiting.abort();
    }
  }

  /** How an issue stood by a prompt, newest first; all but the result of what it says now are `stale`. */
  async history(accountId: string, promptId: string, issueId: string) {
    const { db, prompts } = this.#options;
    const prompt = await prompts.find(accountId, promptId);
    const [current] = await this.check(accountId, prompt.id, [issueId]);
    const rows = await listHistory(db, accountId, issueId, prompt.id);
    return rows.map(({ id, factor, ai_model_name, evaluated_at }) => ({
      id,
      compliance_factor: factor,
      ai_model_name,
      evaluated_at: evaluated_at.toISOString(),
      stale: id !== current?.id || current.stale,
    }));
  }

  /** How an issue stood by each prompt when it was judged last; nothing is judged. 404 when it is not there. */
  async stored(accountId: string, issueId: string): Promise<ComplianceResult[]> {
    const { db, prompts, modelOf } = this.#options;
    const [issue] = await this.#issues(accountId, [issueId]);
    if (!issue) throw notFound();
    const [all, newest, model] = await Promise.all([
      prompts.list(accountId),
      newestResults(db, accountId, issueId),
      modelOf(accountId),
    ]);
    return all.flatMap((prompt) => {
      const result = newest.get(prompt.id);
      if (!result) return [];
      const { askedAs } = model ? questionOf(issue, prompt, model) : keyOf(issue, prompt);
      return [presentResult(issue, prompt, result, !result.asked_as.equals(askedAs))];
    });
  }

  /** How texts would stand by the built-in analyst, beside those the issue has. Nothing is kept. */
  async move(
    accountId: string,
    promptId: string,
    issue: IssueView,
    texts: { title: string; description: string },
  ): Promise<{ before: Evaluation; after: Evaluation }> {
    const { prompts, byRules } = this.#options;
    const { criteria } = await prompts.find(accountId, promptId);
    const now = evaluatedIssue(issue);
    const then = { ...now, title: texts.title, body: texts.description };
    const [before, after] = await byRules([now, then], criteria);
    if (!before || !after) throw new Error('The built-in analyst left out an issue.');
    return { before, after };
  }

  /**
   * How issues would stand by a prompt that nobody has stored: by the account's model where it has one. Nothing is kept.
   * 404 when none of the issues is there, 502 when the model does not answer.
   */
  async tryOut(
    accountId: string,
    prompt: CompliancePrompt,
    issueIds: readonly string[],
  ): Promise<ComplianceResult[]> {
    const { modelOf } = this.#options;
    const issues = await this.#issues(accountId, issueIds);
    const model = await modelOf(accountId);
    try {
      return await Promise.all(
        issues.map(async (issue) => {
          const said =
            model === null
              ? this.#saidByRules(issue, await this.judge(issue, prompt))
              : await askModel({ ...this.#options, byRules: (one, by) => this.judge(one, by) }, accountId, {
                  issue,
                  prompt,
                  model,
                });
          return presentResult(issue, prompt, { id: null, ...said }, false);
        }),
      );
    } catch (error) {
      throw error instanceof ModelError ? upstreamFailed(error.message, error) : error;
    }
  }

  /** What the built-in analyst finds of an issue. */
  async judge(issue: IssueView, { criteria }: CompliancePrompt): Promise<Evaluation> {
    const [evaluation] = await this.#options.byRules([evaluatedIssue(issue)], criteria);
    if (!evaluation) throw new Error('The built-in analyst left out an issue.');
    return evaluation;
  }

  /** Stops asking language models, and waits until nothing is under way any more. */
  close(): Promise<void> {
    return this.#options.byModel.close();
  }

  /** Those of the issues that are there, in their order. 404 when none is. */
  async #issues(accountId: string, issueIds: readonly string[]): Promise<IssueView[]> {
    const found = await findIssues(this.#options.db, accountId, [...new Set(issueIds)]);
    if (found.length === 0) throw notFound();
    const byId = new Map(found.map((issue) => [issue.id, issue]));
    return issueIds.flatMap((id) => byId.get(id) ?? []);
  }

  /** How issues stand by the built-in analyst when `late` comes, by id. */
  async #judgeByRules(
    accountId: string,
    prompt: CompliancePrompt,
    issues: readonly IssueView[],
    late: Promise<unknown>,
  ): Promise<Map<string, Standing<Evaluated>>> {
    const keys = issues.map((issue) => keyOf(issue, prompt));
    const before = await this.#standings(accountId, keys);
    const missing = issues.filter((_issue, index) => {
      const standing = before[index];
      return standing?.state !== 'answered' || standing.stale;
    });
    if (missing.length === 0) return byIssue(issues, before);
    const judged = this.#judgeNew(accountId, prompt, missing);
    const isDone = await Promise.race([judged.then(() => true), late.then(() => false)]);
    if (!isDone) this.#tellLater(accountId, judged);
    return byIssue(issues, await this.#standings(accountId, keys));
  }

  async #standings(accountId: string, keys: readonly ResultKey[]): Promise<Standing<Evaluated>[]> {
    const found = await findResults(this.#options.db, accountId, keys);
    return keys.map(({ askedAs }, index) => {
      const newest = found[index]?.newest ?? null;
      if (newest === null) return { state: 'checking' };
      return { state: 'answered', answer: newest, stale: !newest.asked_as.equals(askedAs) };
    });
  }

  /** Has issues judged and what is found kept; who asks for the same meanwhile waits for the same. */
  #judgeNew(accountId: string, prompt: CompliancePrompt, issues: readonly IssueView[]): Promise<void> {
    const batch = [
      accountId,
      prompt.id,
      ...issues.map((issue) => keyOf(issue, prompt).askedAs.toString('hex')),
    ].join(' ');
    const running = this.#running.get(batch) ?? this.#judgeAndKeep(accountId, prompt, issues);
    this.#running.set(batch, running);
    const forget = () => this.#running.delete(batch);
    running.then(forget, forget);
    return running;
  }

  #tellLater(accountId: string, judged: Promise<void>): void {
    const { onEvaluated, log } = this.#options;
    judged
      .then(() => onEvaluated(accountId))
      .catch((error: unknown) => log.warn({ error }, 'Issues could not be judged.'));
  }

  async #judgeAndKeep(
    accountId: string,
    prompt: CompliancePrompt,
    issues: readonly IssueView[],
  ): Promise<void> {
    const evaluations = await this.#options.byRules(issues.map(evaluatedIssue), prompt.criteria);
    await saveResults(
      this.#options.db,
      accountId,
      issues.flatMap((issue, index) => {
        const evaluation = evaluations[index];
        return evaluation ? [{ ...keyOf(issue, prompt), ...this.#saidByRules(issue, evaluation) }] : [];
      }),
    );
  }

  #saidByRules(issue: IssueView, evaluation: Evaluation): Said {
    const { factor, reason, suggestion, estimate } = evaluation;
    const criteria = evaluation.criteria.map(({ id, score, note, evidence, fix }) => {
      return { id, score, note, fix, evidence: citationsAt(issue, evidence) };
    });
    return {
      factor,
      findings: { reason, suggestion, estimate, criteria },
      ai_model_id: null,
      ai_model_name: BUILT_IN_ANALYST,
      evaluated_at: this.#options.now(),
    };
  }
}

/** What the built-in analyst's answer depends on: the texts, the criteria, and the rules themselves. */
function keyOf(issue: IssueView, { id, version, criteria }: CompliancePrompt): ResultKey {
  const asked = criteria.map((criterion) => [criterion.id, criterion.weight, criterion.check]);
  const texts = [issue.title, issue.description, issue.issue_type, issue.labels];
  const all = JSON.stringify([BUILT_IN_ANALYST, RULES_VERSION, id, version, asked, ...texts]);
  return { issueId: issue.id, promptId: id, askedAs: createHash('sha256').update(all).digest() };
}

/** Whether the built-in analyst is to answer: there is no model, or it has nothing to say. */
function isLeft(standing: Standing<unknown> | undefined): boolean {
  return standing === undefined || standing.state === 'failed';
}

function byIssue<T>(issues: readonly IssueView[], standings: readonly T[]): Map<string, T> {
  return new Map(
    issues.flatMap(({ id }, index) => {
      const standing = standings[index];
      return standing === undefined ? [] : [[id, standing] as const];
    }),
  );
}
