import { CHANGE_STATUSES } from '@winnow/contract/change';
import type {
  ComplianceScores,
  ComplianceStats,
  ComplianceUpdate,
  ComplianceUpdated,
} from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import type { DefaultModel } from '../ai/index.ts';
import {
  type ChangePlan,
  type ChangeRequest,
  changedSince,
  editSteps,
  haveSameText,
  type KindHandler,
  type Ledger,
} from '../changes/index.ts';
import { type Issues, type IssueView, presentIssue } from '../issues/index.ts';
import { invalid } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { knownScores, projectScoreStatistics, type ScoreFilter } from './current-store.ts';
import { judgesOf } from './judges.ts';
import type { Prompts } from './prompts.ts';

export interface ComplianceOptions {
  db: Db;
  issues: Issues;
  ledger: Ledger;
  prompts: Prompts;
  /** Returns the default model. Its scores count also if it is paused or has reached its cap. */
  defaultOf: (accountId: string, budget: null) => Promise<DefaultModel>;
}

/**
 * Filters issues by project and state. A project is given by its full id or the first segment of
 * the id. No project means all projects.
 */
interface StatisticsFilter {
  projectReferences: readonly string[];
  status: StatusFilter;
}

/**
 * Plans and applies changes that write improved texts to issues. Also returns score statistics of
 * projects.
 */
export class Compliance implements KindHandler {
  readonly #options: ComplianceOptions;

  constructor(options: ComplianceOptions) {
    this.#options = options;
  }

  /**
   * Plans the change that writes improved texts to an issue. Throws `not_found` if the issue is
   * missing, and `invalid` if no text differs.
   */
  async plan(accountId: string, issueId: string, update: ComplianceUpdate): Promise<ChangePlan> {
    return planTexts(await this.#options.issues.findByIdOrKey(accountId, issueId), update);
  }

  /**
   * Saves a change that writes improved texts, and waits up to ten seconds for the tracker.
   * `settled` is true if the change has ended; otherwise a live event reports the outcome later.
   * Throws `conflict` if the issue has changed, or if other writes to it take too long.
   */
  async update(
    accountId: string,
    how: Pick<ChangeRequest, 'actor' | 'signal'>,
    issueId: string,
    update: ComplianceUpdate,
  ): Promise<{ result: ComplianceUpdated; settled: boolean }> {
    const { db, ledger, issues } = this.#options;
    const asked = { ...how, as: 'applying' } as const;
    // Without base hashes, the caller is assumed to have read the texts that are stored when the
    // call arrives. This call may wait for another write. It must then not overwrite the texts of
    // that write.
    const atArrival = await issues.findByIdOrKey(accountId, issueId);
    const replaced = {
      ...(update.title !== undefined && { title: atArrival.title }),
      ...(update.description !== undefined && { description: atArrival.description }),
    };
    const { change, steps } = await ledger.carryOut(accountId, asked, {
      issueIds: [issueId],
      plan: async () => {
        const issue = await issues.findByIdOrKey(accountId, issueId);
        const isSeen = update.base_hashes !== undefined || haveSameText(issue, replaced);
        if (!isSeen) throw await changedSince(db, accountId, issue);
        return planTexts(issue, update);
      },
      seen: update.base_hashes,
    });
    return {
      settled: CHANGE_STATUSES[change.status].settled,
      result: {
        issue: presentIssue(await issues.findByIdOrKey(accountId, issueId)),
        change_id: change.id,
        status: change.status,
        error: steps.find(({ error }) => error !== null)?.error ?? null,
      },
    };
  }

  /**
   * Returns statistics of the current scores per project, by a prompt. Throws `not_found` if the
   * prompt is missing.
   */
  async statistics(
    accountId: string,
    promptId: string,
    filter: StatisticsFilter,
  ): Promise<ComplianceStats['projects']> {
    const scoreFilter = await this.#scoreFilter(accountId, promptId, filter);
    return projectScoreStatistics(this.#options.db, accountId, scoreFilter);
  }

  /**
   * Returns the current scores of issues by a prompt. Scores nothing. Throws `not_found` if the
   * prompt is missing.
   */
  async knownScores(
    accountId: string,
    promptId: string,
    filter: StatisticsFilter,
  ): Promise<ComplianceScores> {
    const scoreFilter = await this.#scoreFilter(accountId, promptId, filter);
    const scored = await knownScores(this.#options.db, accountId, scoreFilter);
    return {
      issue_ids: scored.map(({ issue_id }) => issue_id),
      factors: scored.map(({ factor }) => factor),
    };
  }

  async #scoreFilter(
    accountId: string,
    promptId: string,
    { projectReferences, status }: StatisticsFilter,
  ): Promise<ScoreFilter> {
    const { issues, prompts, defaultOf } = this.#options;
    const prompt = await prompts.findPromptById(accountId, promptId);
    const projectIds = await issues.resolveProjects(accountId, projectReferences);
    const isNarrow = projectReferences.length > 0;
    const judges = judgesOf(prompt, (await defaultOf(accountId, null)).model);
    const shown = { promptId: prompt.id, promptVersion: prompt.version, judges };
    return { ...shown, status, projectIds: isNarrow ? projectIds : null };
  }

  /**
   * Refuses a change if another change to the issue's texts was saved first. Called by the ledger.
   */
  async guard(db: Db, accountId: string, plan: ChangePlan): Promise<void> {
    await this.#options.ledger.expectFree(db, accountId, plan);
  }
}

function planTexts(issue: IssueView, update: ComplianceUpdate): ChangePlan {
  const steps = editSteps(issue, update);
  if (steps.length === 0) {
    throw invalid([{ path: 'description', message: 'Change the title or the description.' }]);
  }
  return {
    kind: 'compliance',
    title: `Updated ${issue.key}.`,
    rationale: update.changes.length === 0 ? null : update.changes.join('\n'),
    confidence: null,
    issues: [{ id: issue.id, key: issue.key, contentHash: issue.content_hash }],
    steps,
    payload: {},
  };
}
