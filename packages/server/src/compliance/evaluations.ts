import type { CompliancePrompt, ComplianceResult, ComplianceTrialResult } from '@winnow/contract/compliance';
import { questionAllowance, replacedModel } from '../ai/built-in-fallback.ts';
import type { LanguageModels, StoredModel } from '../ai/model.ts';
import { ModelError } from '../ai/model-error.ts';
import type { DefaultModel } from '../ai/service.ts';
import { findIssues, type IssueView } from '../issues/service.ts';
import { notFound, upstreamFailed } from '../platform/errors.ts';
import { RESPOND_AFTER_MS, withSoftDeadline } from '../platform/soft-deadline.ts';
import type { Db } from '../schema/tables.ts';
import { knownResults } from './current-store.ts';
import { askModel, type ModelEvaluations, questionOf } from './evaluations-by-model.ts';
import type { RuleEvaluations } from './evaluations-by-rules.ts';
import { judgesOf, keyOf } from './judges.ts';
import { presentChecking, presentResult, presentTrial } from './present.ts';
import type { Prompts } from './prompts.ts';
import { findResults, listHistory, type Said } from './result-store.ts';

export interface EvaluationsOptions {
  db: Db;
  now: () => Date;
  prompts: Prompts;
  byRules: RuleEvaluations;
  byModel: ModelEvaluations;
  languageModels: LanguageModels;
  /** The account's model, where one works for it. */
  modelOf: (accountId: string) => Promise<StoredModel | null>;
  /** The default model, which may be paused or at its cap. */
  defaultOf: (accountId: string) => Promise<DefaultModel>;
  /** How many questions about issues of a list may be asked of a model now. */
  takeForList: (accountId: string, modelId: string, wanted: number) => Promise<number>;
}

/** How issues stand by prompts. */
export class Evaluations {
  readonly #options: EvaluationsOptions;

  constructor(options: EvaluationsOptions) {
    this.#options = options;
  }

  /**
   * Returns how each issue stands, in their order, without those that are gone. The built-in analyst answers where a language
   * model has not answered within two seconds, may not be asked, or has nothing to say; `instead_of` says so. A call for one
   * issue always asks the model, one for several within the hourly allowance of lists. `checking` where nobody has answered.
   * Results are stored, and equal calls share one computation. 404 when the prompt, or every one of the issues, is not there.
   */
  async check(accountId: string, promptId: string, issueIds: readonly string[]): Promise<ComplianceResult[]> {
    const prompt = await this.#options.prompts.find(accountId, promptId);
    const issues = await this.#issues(accountId, issueIds);
    return withSoftDeadline(RESPOND_AFTER_MS, async (late) => {
      const { byModel, byRules, defaultOf, takeForList } = this.#options;
      const working = await defaultOf(accountId);
      const { model } = working;
      const questions = model ? issues.map((issue) => questionOf(issue, prompt, model)) : [];
      const allow = questionAllowance(working, issueIds.length > 1, (modelId, wanted) =>
        takeForList(accountId, modelId, wanted),
      );
      const [said, found] = await Promise.all([
        byModel.resolve(accountId, questions, late, allow),
        byRules.look(accountId, prompt, issues, late),
      ]);
      return issues.map((issue, index) => {
        const byTheModel = said[index];
        if (byTheModel?.state === 'answered' && !byTheModel.stale) {
          return presentResult(issue, prompt, byTheModel.answer, { stale: false });
        }
        const builtIn = found.get(issue.id);
        if (builtIn?.state !== 'answered') return presentChecking(issue, prompt, model);
        const { answer, stale } = builtIn;
        const insteadOf = replacedModel(working, byTheModel?.state);
        return presentResult(issue, prompt, answer, { stale, insteadOf });
      });
    });
  }

  /**
   * How an issue stood by a prompt, as far as it was judged: the current result first, then the newest; all but the current
   * one are `stale`. 404 when the issue or the prompt is not there.
   */
  async history(accountId: string, promptId: string, issueId: string) {
    const { db, prompts, defaultOf } = this.#options;
    const prompt = await prompts.find(accountId, promptId);
    const [issue] = await this.#issues(accountId, [issueId]);
    if (!issue) throw notFound();
    const judges = judgesOf(prompt, (await defaultOf(accountId)).model);
    const named = { promptId: prompt.id, promptVersion: prompt.version, judges };
    const known = await knownResults(db, accountId, issueId, [named]);
    const latest = known.get(prompt.id);
    const current = latest?.isCurrent ? latest.result.id : null;
    const rows = await listHistory(db, accountId, issueId, prompt.id);
    return rows
      .map(({ id, factor, ai_model_name, evaluated_at, prompt_version }) => ({
        id,
        compliance_factor: factor,
        ai_model_name,
        evaluated_at: evaluated_at.toISOString(),
        prompt_version,
        stale: id !== current,
      }))
      .sort((one, other) => Number(one.stale) - Number(other.stale));
  }

  /** How an issue stands by each prompt, as far as it was judged; nothing is judged. 404 when it is not there. */
  async stored(accountId: string, issueId: string): Promise<ComplianceResult[]> {
    const { db, prompts, defaultOf } = this.#options;
    const [issue] = await this.#issues(accountId, [issueId]);
    if (!issue) throw notFound();
    const [all, { model }] = await Promise.all([prompts.list(accountId), defaultOf(accountId)]);
    const judged = all.map((prompt) => {
      return { promptId: prompt.id, promptVersion: prompt.version, judges: judgesOf(prompt, model) };
    });
    const known = await knownResults(db, accountId, issueId, judged);
    return all.flatMap((prompt) => {
      const found = known.get(prompt.id);
      return found ? [presentResult(issue, prompt, found.result, { stale: !found.isCurrent })] : [];
    });
  }

  /** How other texts of an issue would stand by the built-in analyst, beside its own. Nothing is kept. 404 when it is not there. */
  async trial(
    accountId: string,
    promptId: string,
    issueId: string,
    texts: { title: string; description: string },
  ): Promise<ComplianceTrialResult> {
    const { prompts, byRules } = this.#options;
    const [issue] = await this.#issues(accountId, [issueId]);
    if (!issue) throw notFound();
    const prompt = await prompts.find(accountId, promptId);
    const before = await byRules.judge(issue, prompt);
    return presentTrial(prompt, texts, { before, after: await byRules.judge(issue, prompt, texts) });
  }

  /**
   * How issues would stand by a prompt that nobody has stored: by the account's model where it has one, and by the built-in
   * analyst where that one has nothing to say of an issue. Nothing is kept. 404 when none of the issues is there, 502 when
   * the model does not answer at all, 429 `plan_limit` when the plan allows no more calls.
   */
  async tryOut(
    accountId: string,
    prompt: CompliancePrompt,
    issueIds: readonly string[],
  ): Promise<ComplianceResult[]> {
    const { byRules, modelOf } = this.#options;
    const issues = await this.#issues(accountId, issueIds);
    const model = await modelOf(accountId);
    const said =
      model && (await Promise.all(issues.map((issue) => this.#askOnce(accountId, issue, prompt, model))));
    const failures = said?.filter((one) => one instanceof ModelError) ?? [];
    const [failure] = failures;
    if (failure && failures.length === issues.length) {
      throw failure.kind === 'plan_limit' ? failure : upstreamFailed(failure.message, failure);
    }
    return Promise.all(
      issues.map(async (issue, index) => {
        const one = said?.[index];
        const result =
          one === undefined || one instanceof ModelError
            ? byRules.said(issue, await byRules.judge(issue, prompt))
            : one;
        return presentResult(issue, prompt, { id: null, ...result }, { stale: false });
      }),
    );
  }

  /** Those of the issues that nobody has judged as they are now; `model` judges, or the built-in analyst. Without those that are gone. */
  async unjudged(
    accountId: string,
    prompt: CompliancePrompt,
    model: StoredModel | null,
    issueIds: readonly string[],
  ): Promise<IssueView[]> {
    const { db } = this.#options;
    const issues = await findIssues(db, accountId, issueIds);
    const keys = issues.map((issue) => keyOf(issue, prompt, model));
    const found = await findResults(db, accountId, keys);
    return issues.filter((_issue, index) => (found[index]?.asked?.evaluated_at ?? null) === null);
  }

  /**
   * Has issues judged, however long it takes. Where a model has nothing to say of an issue, the built-in analyst judges it;
   * when the model cannot be asked at all, that is answered, and the rest is left. Rejects when asking is stopped.
   */
  async judgeAll(
    accountId: string,
    prompt: CompliancePrompt,
    model: StoredModel | null,
    issues: readonly IssueView[],
  ): Promise<ModelError | null> {
    const { byModel, byRules } = this.#options;
    if (model === null) {
      await byRules.keep(accountId, prompt, issues);
      return null;
    }
    const failures = await Promise.all(
      issues.map((issue) => byModel.ask(accountId, questionOf(issue, prompt, model))),
    );
    byModel.throwIfStopped();
    const failure = failures.find((one) => one?.concernsModel === true);
    if (failure) return failure;
    const ids = issues.map(({ id }) => id);
    await byRules.keep(accountId, prompt, await this.unjudged(accountId, prompt, model, ids));
    return null;
  }

  /** Stops asking language models, and waits until nothing is under way any more. */
  close(): Promise<void> {
    return this.#options.byModel.close();
  }

  /** Those of the issues that are there, in their order. 404 when none is. */
  async #issues(accountId: string, issueIds: readonly string[]): Promise<IssueView[]> {
    const found = await findIssues(this.#options.db, accountId, issueIds);
    if (found.length === 0) throw notFound();
    return found;
  }

  /** What a model says of an issue by a prompt that nobody has stored, or why it says nothing. */
  async #askOnce(
    accountId: string,
    issue: IssueView,
    prompt: CompliancePrompt,
    model: StoredModel,
  ): Promise<Said | ModelError> {
    try {
      return await askModel(this.#options, accountId, { issue, prompt, model });
    } catch (error) {
      if (error instanceof ModelError) return error;
      throw error;
    }
  }
}
