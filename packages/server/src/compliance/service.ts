import type { ComplianceStats, ComplianceUpdate, ComplianceUpdated } from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import { editSteps } from '../changes/edit-steps.ts';
import type { Actor, KindHandler, Ledger } from '../changes/ledger.ts';
import type { ChangePlan } from '../changes/plan.ts';
import { presentIssue } from '../issues/present.ts';
import type { Issues } from '../issues/service.ts';
import { conflict, invalid } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';
import type { Prompts } from './prompts.ts';
import { projectStandings } from './result-store.ts';

/** How long an updating call waits for the tracker before it answers 202. */
const APPLY_WAIT_MS = 10_000;

export interface ComplianceOptions {
  db: Db;
  issues: Issues;
  ledger: Ledger;
  prompts: Prompts;
}

/** Improving issues in their trackers, and how projects stand. */
export class Compliance implements KindHandler {
  readonly #options: ComplianceOptions;

  constructor(options: ComplianceOptions) {
    this.#options = options;
  }

  /** The change that gives an issue better texts, unsaved. 404 when it is not there, 422 when no text differs. */
  async plan(accountId: string, issueId: string, update: ComplianceUpdate): Promise<ChangePlan> {
    const issue = await this.#options.issues.find(accountId, issueId);
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
   * through; if not, the live channel tells when it is. 409 when the issue changed since, or is just being changed.
   */
  async update(
    accountId: string,
    actor: Actor,
    issueId: string,
    update: ComplianceUpdate,
  ): Promise<{ result: ComplianceUpdated; settled: boolean }> {
    const { ledger, issues } = this.#options;
    const plan = await this.plan(accountId, issueId, update);
    const changeId = await ledger.submit(accountId, actor, plan, update.base_hashes);
    const { change, steps } = await ledger.whenSettled(accountId, changeId, APPLY_WAIT_MS);
    return {
      settled: change.status !== 'applying',
      result: {
        issue: presentIssue(await issues.find(accountId, issueId)),
        change_id: changeId,
        status: change.status,
        error: steps.find(({ error }) => error !== null)?.error ?? null,
      },
    };
  }

  /** How projects stand by a prompt, as far as their issues were judged. 404 when there is no such prompt. */
  async statistics(
    accountId: string,
    promptId: string,
    filter: { projectReferences: readonly string[]; status: StatusFilter },
  ): Promise<ComplianceStats['projects']> {
    const { db, issues, prompts } = this.#options;
    const prompt = await prompts.find(accountId, promptId);
    const projectIds = await issues.resolveProjects(accountId, filter.projectReferences);
    const isNarrow = filter.projectReferences.length > 0;
    return projectStandings(db, accountId, prompt.id, {
      status: filter.status,
      projectIds: isNarrow ? projectIds : null,
    });
  }

  /** Of people who change the texts of the same issue at once, the first one wins. Called by the ledger. */
  async guard(db: Db, accountId: string, plan: ChangePlan): Promise<void> {
    const [issue] = plan.issues;
    if (!issue) return;
    const underWay = await this.#options.ledger.underWay(db, accountId);
    if (!underWay.some(({ steps }) => steps.some(({ target_issue_id }) => target_issue_id === issue.id)))
      return;
    throw conflict('being_changed', `${issue.key} is being changed just now.`);
  }
}
