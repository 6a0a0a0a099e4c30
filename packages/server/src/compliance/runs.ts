import { randomUUID } from 'node:crypto';
import type { CompliancePrompt, ComplianceRunPreview } from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { StoredModel } from '../ai/index.ts';
import type { Issues } from '../issues/index.ts';
import { AppError, conflict, notFound } from '../platform/errors.ts';
import type { JobContext } from '../platform/jobs/job.ts';
import type { Db } from '../schema/tables.ts';
import type { Evaluations } from './evaluations.ts';
import type { Prompts } from './prompts.ts';
import * as store from './run-store.ts';

/** Number of issues judged concurrently. A language model takes seconds per issue. */
const CONCURRENT_ISSUES = { builtIn: 100, model: 8 } as const;
/** Number of issues per query when counting issues without a current score. */
const COUNT_BATCH_SIZE = 500;
/** Minimum interval between two progress events, in milliseconds. */
const MIN_PROGRESS_INTERVAL_MS = 2_000;

/** Projects to score, and the prompt to score them by. */
export interface RunRequest {
  projectReferences: readonly string[];
  promptId: string;
  status: StatusFilter;
}

export interface ComplianceRunsOptions {
  db: Db;
  now: () => Date;
  issues: Issues;
  prompts: Prompts;
  evaluations: Evaluations;
  /** Returns the account's model; null if it is not available. */
  modelOf: (accountId: string, budget: null) => Promise<StoredModel | null>;
  /** Enqueues the job of a run. Called in the transaction that creates the run. */
  requestRun: (db: Db, accountId: string, runId: string) => Promise<unknown>;
  /** Called when the progress of a run has changed. */
  onProgress: (accountId: string) => Promise<void>;
}

/** Scores all issues of projects in background jobs, page by page. */
export class ComplianceRuns {
  readonly #options: ComplianceRunsOptions;

  constructor(options: ComplianceRunsOptions) {
    this.#options = options;
  }

  /**
   * Returns the newest run of each project for a prompt. Throws `not_found` if the prompt is
   * missing.
   */
  async list(accountId: string, promptId: string): Promise<store.RunRow[]> {
    const prompt = await this.#options.prompts.findPromptById(accountId, promptId);
    return store.newestRuns(this.#options.db, accountId, prompt.id);
  }

  /**
   * Returns the number of issues and of model calls that a scoring run would need. Throws
   * `not_found` if the prompt or a project is missing.
   */
  async preview(accountId: string, request: RunRequest): Promise<ComplianceRunPreview> {
    const { prompt, projectIds } = await this.#resolve(accountId, request);
    const model = await this.#options.modelOf(accountId, null);
    const counts = await this.#count(accountId, prompt, model, projectIds, request.status);
    const toScore = counts.reduce((sum, count) => sum + count, 0);
    return {
      to_score: toScore,
      calls: model === null ? 0 : toScore,
      ai_model_name: model?.name ?? BUILT_IN_ANALYST,
    };
  }

  /**
   * Starts runs that score projects. Returns the runs, including those already in progress. Throws
   * `not_found` if the prompt or a project is missing. Throws `conflict` if the runs need more than
   * `mostCalls` model calls.
   */
  async start(accountId: string, request: RunRequest, mostCalls: number): Promise<store.RunRow[]> {
    const { db, now, modelOf, requestRun } = this.#options;
    const { prompt, projectIds } = await this.#resolve(accountId, request);
    const model = await modelOf(accountId, null);
    const calls =
      model === null
        ? projectIds.map(() => 0)
        : await this.#count(accountId, prompt, model, projectIds, request.status);
    const needed = calls.reduce((sum, count) => sum + count, 0);
    if (needed > mostCalls) {
      throw conflict(
        'more_calls',
        `This takes ${needed} calls of ${model?.name}, more than the ${mostCalls} you accepted. Check the number of calls again.`,
      );
    }
    await db.transaction().execute(async (transaction) => {
      for (const [index, projectId] of projectIds.entries()) {
        const scope = { project_id: projectId, status: request.status };
        await store.deleteFinishedRuns(transaction, accountId, projectId, prompt.id);
        const run = await store.insertRun(transaction, {
          account_id: accountId,
          id: randomUUID(),
          prompt_id: prompt.id,
          ...scope,
          ai_model_id: model?.id ?? null,
          calls_left: calls[index] ?? 0,
          total: await store.countIssuesOf(transaction, accountId, scope),
          started_at: now(),
        });
        if (run) await requestRun(transaction, accountId, run.id);
      }
    });
    const runs = await store.newestRuns(db, accountId, prompt.id);
    return runs.filter(({ project_id }) => projectIds.includes(project_id));
  }

  /**
   * Stops a run and keeps the scores stored so far. Does nothing if the run has ended. Throws
   * `not_found` if the run is missing.
   */
  async stop(accountId: string, runId: string): Promise<store.RunRow> {
    const { db, now, onProgress } = this.#options;
    const run = await store.findRun(db, accountId, runId);
    if (!run) throw notFound();
    if (await store.endRun(db, run, { state: 'stopped', reason: null, ended_at: now() })) {
      await onProgress(accountId);
    }
    return (await store.findRun(db, accountId, runId)) ?? run;
  }

  /**
   * Processes a run until it ends or is stopped. Safe to repeat after an interruption. An error on
   * the last attempt ends the run as failed.
   */
  async processRun(
    accountId: string,
    runId: string,
    { signal, isLastAttempt }: Pick<JobContext, 'signal' | 'isLastAttempt'>,
  ): Promise<void> {
    const { db, now, onProgress } = this.#options;
    try {
      await this.#scorePages(accountId, runId, signal);
    } catch (error) {
      if (isLastAttempt && !signal.aborted) {
        const end = failed(
          'Scoring stopped because of an error, which is in the server log. Choose “Score all” again.',
        );
        await store.endRun(db, { account_id: accountId, id: runId }, { ...end, ended_at: now() });
        await onProgress(accountId);
      }
      throw error;
    }
  }

  async #scorePages(accountId: string, runId: string, signal: AbortSignal): Promise<void> {
    const { db, now, onProgress } = this.#options;
    let toldAt = now().getTime();
    for (;;) {
      signal.throwIfAborted();
      const run = await store.findRun(db, accountId, runId);
      // A missing run was deleted together with its project.
      if (run?.state !== 'running') return;
      const end = await this.#scorePage(run);
      if (end !== null) {
        await store.endRun(db, run, { ...end, ended_at: now() });
        await onProgress(accountId);
        return;
      }
      if (now().getTime() - toldAt < MIN_PROGRESS_INTERVAL_MS) continue;
      toldAt = now().getTime();
      await onProgress(accountId);
    }
  }

  /**
   * Scores the next page of a run's issues. Returns the outcome of the run, or null if issues
   * remain.
   */
  async #scorePage(run: store.RunRow): Promise<{ state: 'done' | 'failed'; reason: string | null } | null> {
    const { db, evaluations, modelOf } = this.#options;
    const accountId = run.account_id;
    const model = await modelOf(accountId, null);
    if ((model?.id ?? null) !== run.ai_model_id) {
      return failed('The analyst changed during scoring. Choose “Score all” again.');
    }
    const prompt = await this.#findPrompt(accountId, run.prompt_id);
    if (prompt === null) return failed('This compliance type was deleted.');
    const atOnce = model === null ? CONCURRENT_ISSUES.builtIn : CONCURRENT_ISSUES.model;
    const issueIds = await store.issueIdsAfter(db, accountId, run, run.after_id, atOnce);
    const afterId = issueIds.at(-1);
    if (afterId === undefined) return { state: 'done', reason: null };
    const open = await evaluations.findUnjudged(accountId, prompt, model, issueIds);
    const calls = model === null ? 0 : open.length;
    if (calls > run.calls_left) {
      return failed(
        'Issues changed during scoring, so more calls are needed than you accepted. Choose “Score all” again.',
      );
    }
    const failure = await evaluations.judgeAll(accountId, prompt, model, open);
    if (failure !== null) return failed(`${model?.name} could not be called: ${failure.message}`);
    await store.advanceRun(db, run, { afterId, done: issueIds.length, calls });
    return null;
  }

  async #findPrompt(accountId: string, promptId: string): Promise<CompliancePrompt | null> {
    try {
      return await this.#options.prompts.findPromptById(accountId, promptId);
    } catch (error) {
      if (error instanceof AppError && error.category === 'not_found') return null;
      throw error;
    }
  }

  async #resolve(
    accountId: string,
    { projectReferences, promptId }: RunRequest,
  ): Promise<{ prompt: CompliancePrompt; projectIds: string[] }> {
    const { issues, prompts } = this.#options;
    const prompt = await prompts.findPromptById(accountId, promptId);
    const projectIds = await issues.resolveProjects(accountId, projectReferences);
    if (projectIds.length < new Set(projectReferences).size) throw notFound();
    return { prompt, projectIds };
  }

  /** Returns the number of issues to score in each project. */
  async #count(
    accountId: string,
    prompt: CompliancePrompt,
    model: StoredModel | null,
    projectIds: readonly string[],
    status: StatusFilter,
  ): Promise<number[]> {
    const { db, evaluations } = this.#options;
    const counts: number[] = [];
    for (const projectId of projectIds) {
      let count = 0;
      for (let after: string | null = null; ; ) {
        const scope = { project_id: projectId, status };
        const ids = await store.issueIdsAfter(db, accountId, scope, after, COUNT_BATCH_SIZE);
        if (ids.length === 0) break;
        count += (await evaluations.findUnjudged(accountId, prompt, model, ids)).length;
        after = ids.at(-1) ?? null;
      }
      counts.push(count);
    }
    return counts;
  }
}

function failed(reason: string): { state: 'failed'; reason: string } {
  return { state: 'failed', reason };
}
