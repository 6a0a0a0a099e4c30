import { CHANGE_STATUSES } from '@winnow/contract/change';
import type {
  ComplianceScores,
  ComplianceStats,
  ComplianceUpdate,
  ComplianceUpdated,
} from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import type { DefaultModel } from '../ai/service.ts';
import { editSteps } from '../changes/edit-steps.ts';
import type { ChangeRequest, KindHandler, Ledger } from '../changes/ledger.ts';
import type { ChangePlan } from '../changes/plan.ts';
import { presentIssue } from '../issues/present.ts';
import type { Issues } from '../issues/service.ts';
import { invalid } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import { knownScores, projectStandings, type Standpoint } from './current-store.ts';
import { judgesOf } from './judges.ts';
import type { Prompts } from './prompts.ts';

export interface ComplianceOptions {
  db: Db;
  issues: Issues;
  ledger: Ledger;
  prompts: Prompts;
  /** The default model, which may be paused or at its cap: its scores count all the same. */
  defaultOf: (accountId: string) => Promise<DefaultModel>;
}

/** Which issues are meant: of these projects (full ids or first segments; all when there are none) in this state. */
interface StandingFilter {
  projectReferences: readonly string[];
  status: StatusFilter;
}

/** Improving issues in their trackers, and how projects stand. */
export class Compliance implements KindHandler {
  readonly #options: ComplianceOptions;

  constructor(options: ComplianceOptions) {
    this.#options = options;
  }

  /** The change that gives an issue better texts, unsaved. 404 when it is not there, 422 when no text differs. */
  async plan(accountId: string, issueId: string, update: ComplianceUpdate): Promise<ChangePlan> {
    const issue = await this.#options.issues.findByIdOrKey(accountId, issueId);
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

  /**
   * Gives an issue better texts: saves the change and waits up to ten seconds for the tracker. `settled` tells whether it is
   * through; if not, the live channel tells when it is. 409 when the issue changed since, or other writes to it take long.
   */
  async update(
    accountId: string,
    how: Pick<ChangeRequest, 'actor' | 'signal'>,
    issueId: string,
    update: ComplianceUpdate,
  ): Promise<{ result: ComplianceUpdated; settled: boolean }> {
    const { ledger, issues } = this.#options;
    const asked = { ...how, as: 'applying' } as const;
    // A caller without base hashes saw the issue at most as it is now. A write that has to wait for
    // another one must not replace what that one wrote.
    const seen = update.base_hashes ?? {
      [issueId]: (await issues.findByIdOrKey(accountId, issueId)).content_hash,
    };
    const { change, steps } = await ledger.carryOut(accountId, asked, {
      issueIds: [issueId],
      plan: () => this.plan(accountId, issueId, update),
      seen,
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

  /** How projects stand by a prompt, as far as their issues were judged as they are now. 404 when there is no such prompt. */
  async statistics(
    accountId: string,
    promptId: string,
    filter: StandingFilter,
  ): Promise<ComplianceStats['projects']> {
    const standpoint = await this.#standpoint(accountId, promptId, filter);
    return projectStandings(this.#options.db, accountId, standpoint);
  }

  /** What issues score as they are now, as far as that was judged; nothing is. 404 when there is no such prompt. */
  async knownScores(accountId: string, promptId: string, filter: StandingFilter): Promise<ComplianceScores> {
    const standpoint = await this.#standpoint(accountId, promptId, filter);
    const scored = await knownScores(this.#options.db, accountId, standpoint);
    return {
      issue_ids: scored.map(({ issue_id }) => issue_id),
      factors: scored.map(({ factor }) => factor),
    };
  }

  async #standpoint(
    accountId: string,
    promptId: string,
    { projectReferences, status }: StandingFilter,
  ): Promise<Standpoint> {
    const { issues, prompts, defaultOf } = this.#options;
    const prompt = await prompts.find(accountId, promptId);
    const projectIds = await issues.resolveProjects(accountId, projectReferences);
    const isNarrow = projectReferences.length > 0;
    const judges = judgesOf(prompt, (await defaultOf(accountId)).model);
    const shown = { promptId: prompt.id, promptVersion: prompt.version, judges };
    return { ...shown, status, projectIds: isNarrow ? projectIds : null };
  }

  /** Of people who change the texts of the same issue at once, the first one wins. Called by the ledger. */
  async guard(db: Db, accountId: string, plan: ChangePlan): Promise<void> {
    await this.#options.ledger.expectFree(db, accountId, plan);
  }
}
