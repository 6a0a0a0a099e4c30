import type { CompliancePrompt, ComplianceResult, ComplianceTrialResult } from '@winnow/contract/compliance';
import {
  type CostBudget,
  type DefaultModel,
  type LanguageModels,
  ModelError,
  questionSelector,
  replacedModel,
  type StoredModel,
} from '../ai/index.ts';
import { findIssues, type IssueView } from '../issues/index.ts';
import { notFound, upstreamFailed } from '../platform/errors.ts';
import { RESPOND_AFTER_MS, withSoftDeadline } from '../platform/soft-deadline.ts';
import type { Db } from '../schema/tables.ts';
import { knownResults } from './current-store.ts';
import { askModel, type IssueQuestion, type ModelEvaluations, questionOf } from './evaluations-by-model.ts';
import type { RuleEvaluations } from './evaluations-by-rules.ts';
import { judgesOf, resultKeyOf } from './judges.ts';
import { presentChecking, presentResult, presentTrial } from './present.ts';
import type { Prompts } from './prompts.ts';
import { findResults, listHistory, type UnsavedResult } from './result-store.ts';

export interface EvaluationsOptions {
  db: Db;
  now: () => Date;
  prompts: Prompts;
  byRules: RuleEvaluations;
  byModel: ModelEvaluations;
  languageModels: LanguageModels;
  /** Returns the account's model; null if it is not available. */
  modelOf: (accountId: string, budget: CostBudget | null) => Promise<StoredModel | null>;
  /** Returns the default model, also if it is paused or has reached its cap. */
  defaultOf: (accountId: string, budget: CostBudget | null) => Promise<DefaultModel>;
  /**
   * Reserves up to `wanted` model calls for a list within the hourly limit. Returns the number of
   * calls reserved.
   */
  takeForList: (accountId: string, modelId: string, wanted: number) => Promise<number>;
}

/** Scores issues by prompts, and returns stored scores. */
export class Evaluations {
  readonly #options: EvaluationsOptions;

  constructor(options: EvaluationsOptions) {
    this.#options = options;
  }

  /**
   * Scores issues and returns the results in the order of the ids. Omits deleted issues.
   *
   * If the language model cannot be asked, gives no usable answer or takes over two seconds, the
   * built-in analyst's result replaces its own. `instead_of` then names the model. The decision is
   * `checking` while there is no result at all.
   *
   * A call for a single issue is exempt from the hourly limit for lists. Results are stored, and
   * concurrent calls share the work. Throws `not_found` if the prompt is missing or none of the
   * issues exists.
   */
  async check(
    accountId: string,
    promptId: string,
    issueIds: readonly string[],
    budget: CostBudget | null,
  ): Promise<ComplianceResult[]> {
    const prompt = await this.#options.prompts.findPromptById(accountId, promptId);
    const issues = await this.#issues(accountId, issueIds);
    return withSoftDeadline(RESPOND_AFTER_MS, async (late) => {
      const { byModel, byRules, defaultOf, takeForList } = this.#options;
      const working = await defaultOf(accountId, budget);
      const { model } = working;
      const questions = model ? issues.map((issue) => questionOf(issue, prompt, model)) : [];
      const select = questionSelector<IssueQuestion>(working, {
        isList: issueIds.length > 1,
        takeForList: (modelId, wanted) => takeForList(accountId, modelId, wanted),
      });
      const [said, found] = await Promise.all([
        byModel.resolve(accountId, questions, late, select),
        byRules.evaluateUntil(accountId, prompt, issues, late),
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
   * Returns the stored results of an issue by a prompt. The current result comes first. The other
   * results follow, newest first, and are marked as `stale`. Throws `not_found` if the issue or the
   * prompt is missing.
   */
  async listHistory(accountId: string, promptId: string, issueId: string) {
    const { db, prompts, defaultOf } = this.#options;
    const prompt = await prompts.findPromptById(accountId, promptId);
    const [issue] = await this.#issues(accountId, [issueId]);
    if (!issue) throw notFound();
    const judges = judgesOf(prompt, (await defaultOf(accountId, null)).model);
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

  /**
   * Returns the stored result of an issue for each prompt that has one. Scores nothing. Throws
   * `not_found` if the issue is missing.
   */
  async findStored(accountId: string, issueId: string): Promise<ComplianceResult[]> {
    const { db, prompts, defaultOf } = this.#options;
    const [issue] = await this.#issues(accountId, [issueId]);
    if (!issue) throw notFound();
    const [all, { model }] = await Promise.all([prompts.list(accountId), defaultOf(accountId, null)]);
    const judged = all.map((prompt) => {
      return { promptId: prompt.id, promptVersion: prompt.version, judges: judgesOf(prompt, model) };
    });
    const known = await knownResults(db, accountId, issueId, judged);
    return all.flatMap((prompt) => {
      const found = known.get(prompt.id);
      return found ? [presentResult(issue, prompt, found.result, { stale: !found.isCurrent })] : [];
    });
  }

  /**
   * Compares the score of an issue with the score it would have with other texts. Uses the built-in
   * analyst and stores nothing. Throws `not_found` if the issue is missing.
   */
  async compareTexts(
    accountId: string,
    promptId: string,
    issueId: string,
    texts: { title: string; description: string },
  ): Promise<ComplianceTrialResult> {
    const { prompts, byRules } = this.#options;
    const [issue] = await this.#issues(accountId, [issueId]);
    if (!issue) throw notFound();
    const prompt = await prompts.findPromptById(accountId, promptId);
    const before = await byRules.judge(issue, prompt);
    return presentTrial(prompt, texts, { before, after: await byRules.judge(issue, prompt, texts) });
  }

  /**
   * Scores issues by a prompt that is not stored. If the account's model fails for an issue, the
   * built-in analyst judges that issue. Stores nothing.
   *
   * @throws {AppError} `not_found` if none of the issues exists; `upstream_failed` if the model
   * fails for every issue; `rate_limited` (code `plan_limit`) if the quota is exhausted
   */
  async tryOut(
    accountId: string,
    prompt: CompliancePrompt,
    issueIds: readonly string[],
  ): Promise<ComplianceResult[]> {
    const { byRules, modelOf } = this.#options;
    const issues = await this.#issues(accountId, issueIds);
    const model = await modelOf(accountId, null);
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
            ? byRules.toUnsaved(issue, await byRules.judge(issue, prompt))
            : one;
        return presentResult(issue, prompt, { id: null, ...result }, { stale: false });
      }),
    );
  }

  /**
   * Returns the issues without a current result by `model`. If `model` is null, checks results by
   * the built-in analyst.
   */
  async findUnjudged(
    accountId: string,
    prompt: CompliancePrompt,
    model: StoredModel | null,
    issueIds: readonly string[],
  ): Promise<IssueView[]> {
    const { db } = this.#options;
    const issues = await findIssues(db, accountId, issueIds);
    const keys = issues.map((issue) => resultKeyOf(issue, prompt, model));
    const found = await findResults(db, accountId, keys);
    return issues.filter((_issue, index) => (found[index]?.asked?.evaluated_at ?? null) === null);
  }

  /**
   * Scores issues without a time limit. If the model gives no usable answer for an issue, the
   * built-in analyst judges that issue. If the model cannot be called at all, returns the error and
   * skips the built-in analyst. Rejects when aborted.
   */
  async judgeAll(
    accountId: string,
    prompt: CompliancePrompt,
    model: StoredModel | null,
    issues: readonly IssueView[],
  ): Promise<ModelError | null> {
    const { byModel, byRules } = this.#options;
    if (model === null) {
      await byRules.evaluateAndStore(accountId, prompt, issues);
      return null;
    }
    const failures = await Promise.all(
      issues.map((issue) => byModel.ask(accountId, questionOf(issue, prompt, model))),
    );
    byModel.throwIfStopped();
    const failure = failures.find((one) => one?.concernsModel === true);
    if (failure) return failure;
    const ids = issues.map(({ id }) => id);
    await byRules.evaluateAndStore(accountId, prompt, await this.findUnjudged(accountId, prompt, model, ids));
    return null;
  }

  /** Aborts calls to language models and waits until they end. */
  close(): Promise<void> {
    return this.#options.byModel.close();
  }

  /** Returns the existing issues in the order of the ids. Throws `not_found` if none exists. */
  async #issues(accountId: string, issueIds: readonly string[]): Promise<IssueView[]> {
    const found = await findIssues(this.#options.db, accountId, issueIds);
    if (found.length === 0) throw notFound();
    return found;
  }

  /** Asks a model to score an issue. Stores nothing. Returns the error if the model fails. */
  async #askOnce(
    accountId: string,
    issue: IssueView,
    prompt: CompliancePrompt,
    model: StoredModel,
  ): Promise<UnsavedResult | ModelError> {
    try {
      return await askModel(this.#options, accountId, { issue, prompt, model });
    } catch (error) {
      if (error instanceof ModelError) return error;
      throw error;
    }
  }
}
