import { randomUUID } from 'node:crypto';
import type { CompliancePrompt, ComplianceRunPreview } from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { StoredModel } from '../ai/model.ts';
import type { Issues } from '../issues/service.ts';
import { AppError, conflict, notFound } from '../platform/errors.ts';
import type { JobContext } from '../platform/jobs/job.ts';
import type { Db } from '../schema/tables.ts';
import type { Evaluations } from './evaluations.ts';
import type { Prompts } from './prompts.ts';
import * as store from './run-store.ts';

/** Issues judged at a time by the built-in analyst, and by a language model, which takes seconds for each. */
const AT_ONCE = { builtIn: 100, model: 8 } as const;
/** Issues whose texts are looked at together to tell which are to be scored. */
const COUNTED_AT_ONCE = 500;
/** News are told this often at most while there is more to do. */
const TELL_EVERY_MS = 2_000;

/** Which projects are scored, by what. */
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
  /** The account's model, where one works for it. */
  modelOf: (accountId: string) => Promise<StoredModel | null>;
  /** Has a run carried out, in the transaction that began it. */
  requestRun: (db: Db, accountId: string, runId: string) => Promise<unknown>;
  /** Told when there is more to see. */
  onProgress: (accountId: string) => Promise<void>;
}

/** Scores all issues of projects, page by page, in the background. */
export class ComplianceRuns {
  readonly #options: ComplianceRunsOptions;

  constructor(options: ComplianceRunsOptions) {
    this.#options = options;
  }

  /** The newest run of each project by a prompt. 404 when there is no such prompt. */
  async list(accountId: string, promptId: string): Promise<store.RunRow[]> {
    const prompt = await this.#options.prompts.find(accountId, promptId);
    return store.newestRuns(this.#options.db, accountId, prompt.id);
  }

  /** What scoring projects would take. 404 when the prompt, or one of the projects, is not there. */
  async preview(accountId: string, request: RunRequest): Promise<ComplianceRunPreview> {
    const { prompt, projectIds } = await this.#resolve(accountId, request);
    const model = await this.#options.modelOf(accountId);
    const counts = await this.#count(accountId, prompt, model, projectIds, request.status);
    const toScore = counts.reduce((sum, count) => sum + count, 0);
    return {
      to_score: toScore,
      calls: model === null ? 0 : toScore,
      ai_model_name: model?.name ?? BUILT_IN_ANALYST,
    };
  }

  /**
   * Begins to score projects; where that goes on already it goes on. Answers their runs. 404 when the prompt, or one of the
   * projects, is not there; 409 when a language model would have to be asked more often than `mostCalls`.
   */
  async start(accountId: string, request: RunRequest, mostCalls: number): Promise<store.RunRow[]> {
    const { db, now, modelOf, requestRun } = this.#options;
    const { prompt, projectIds } = await this.#resolve(accountId, request);
    const model = await modelOf(accountId);
    const calls =
      model === null
        ? projectIds.map(() => 0)
        : await this.#count(accountId, prompt, model, projectIds, request.status);
    const needed = calls.reduce((sum, count) => sum + count, 0);
    if (needed > mostCalls) {
      throw conflict(
        'more_calls',
        `This takes ${needed} calls of ${model?.name}, more than the ${mostCalls} that were agreed to. Look at what it takes again.`,
      );
    }
    await db.transaction().execute(async (transaction) => {
      for (const [index, projectId] of projectIds.entries()) {
        const scope = { project_id: projectId, status: request.status };
        await store.forgetEnded(transaction, accountId, projectId, prompt.id);
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

  /** Stops a run; what was scored stays. One that has ended is left as it is. 404 when it is not there. */
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
   * Carries a run out to its end, or until somebody stops it. Safe to run again after a stop at any point; when the last
   * attempt fails, so does the run.
   */
  async carryOut(
    accountId: string,
    runId: string,
    { signal, isLastAttempt }: Pick<JobContext, 'signal' | 'isLastAttempt'>,
  ): Promise<void> {
    const { db, now, onProgress } = this.#options;
    try {
      await this.#scorePages(accountId, runId, signal);
    } catch (error) {
      if (isLastAttempt && !signal.aborted) {
        const end = failed('It stopped for a reason that is in the log. Score all again.');
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
      // A project that is gone has taken its runs along.
      if (run?.state !== 'running') return;
      const end = await this.#scorePage(run);
      if (end !== null) {
        await store.endRun(db, run, { ...end, ended_at: now() });
        await onProgress(accountId);
        return;
      }
      if (now().getTime() - toldAt < TELL_EVERY_MS) continue;
      toldAt = now().getTime();
      await onProgress(accountId);
    }
  }

  /** Scores the next issues of a run. Answers how the run ends, null when there is more to do. */
  async #scorePage(run: store.RunRow): Promise<{ state: 'done' | 'failed'; reason: string | null } | null> {
    const { db, evaluations, modelOf } = this.#options;
    const accountId = run.account_id;
    const model = await modelOf(accountId);
    if ((model?.id ?? null) !== run.ai_model_id) {
      return failed('Another analyst works for you since this began. Score all again.');
    }
    const prompt = await this.#findPrompt(accountId, run.prompt_id);
    if (prompt === null) return failed('This compliance type was deleted.');
    const atOnce = model === null ? AT_ONCE.builtIn : AT_ONCE.model;
    const issueIds = await store.issueIdsAfter(db, accountId, run, run.after_id, atOnce);
    const afterId = issueIds.at(-1);
    if (afterId === undefined) return { state: 'done', reason: null };
    const open = await evaluations.unjudged(accountId, prompt, model, issueIds);
    const calls = model === null ? 0 : open.length;
    if (calls > run.calls_left) {
      return failed('Issues have changed, so more calls are needed than were agreed to. Score all again.');
    }
    const failure = await evaluations.judgeAll(accountId, prompt, model, open);
    if (failure !== null) return failed(`${model?.name} could not be asked: ${failure.message}`);
    await store.advanceRun(db, run, { afterId, done: issueIds.length, calls });
    return null;
  }

  async #findPrompt(accountId: string, promptId: string): Promise<CompliancePrompt | null> {
    try {
      return await this.#options.prompts.find(accountId, promptId);
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return null;
      throw error;
    }
  }

  async #resolve(
    accountId: string,
    { projectReferences, promptId }: RunRequest,
  ): Promise<{ prompt: CompliancePrompt; projectIds: string[] }> {
    const { issues, prompts } = this.#options;
    const prompt = await prompts.find(accountId, promptId);
    const projectIds = await issues.resolveProjects(accountId, projectReferences);
    if (projectIds.length < new Set(projectReferences).size) throw notFound();
    return { prompt, projectIds };
  }

  /** How many issues of each project are to be scored. */
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
        const ids = await store.issueIdsAfter(db, accountId, scope, after, COUNTED_AT_ONCE);
        if (ids.length === 0) break;
        count += (await evaluations.unjudged(accountId, prompt, model, ids)).length;
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
