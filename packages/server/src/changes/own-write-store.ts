import type { StepAction } from '@winnow/contract/change';
import { sql } from 'kysely';
import type { StepMemory } from '../schema/change-tables.ts';
import type { Db } from '../schema/tables.ts';

/** A step that Winnow applied to an issue, and the state of the issue afterwards. */
export interface OwnWrite {
  stepId: string;
  issueId: string;
  action: StepAction;
  /**
   * State of the issue after the step. Null for a step that does not change the state, such as a
   * comment.
   */
  stateAfter: NonNullable<StepMemory['stood']> | null;
  /** Comment that the step posted or deleted. */
  commentExternalId: string | null;
}

/**
 * Targets of Winnow's writes in progress: issues being changed, and projects of issues being
 * created.
 */
export interface WritesInProgress {
  issueIds: ReadonlySet<string>;
  projectIds: ReadonlySet<string>;
}

/**
 * Lists Winnow's writes to these issues since an instant. Also lists earlier writes of the given
 * steps.
 */
export async function listWritesTo(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
  { since, stepIds }: { since: Date; stepIds: readonly string[] },
): Promise<OwnWrite[]> {
  if (issueIds.length === 0) return [];
  const { rows } = await sql<{
    id: string;
    target_issue_id: string;
    action: StepAction;
    stood: StepMemory['stood'] | null;
    comment_external_id: string | null;
  }>`
    select step.id, step.target_issue_id, step.action, step.result -> 'stood' as stood,
      step.result ->> 'comment_external_id' as comment_external_id
    from change_issue named
    join change_step step on step.account_id = named.account_id and step.change_id = named.change_id
      and step.target_issue_id = named.issue_id
    where named.account_id = ${accountId} and named.issue_id = any (${issueIds}::uuid[])
      and step.status in ('applied', 'undone')
      and (step.applied_at >= ${since} or step.id = any (${stepIds}::uuid[]))
  `.execute(db);
  return rows.map(({ id, target_issue_id, action, stood, comment_external_id }) => ({
    stepId: id,
    issueId: target_issue_id,
    action,
    stateAfter: stood ?? null,
    commentExternalId: comment_external_id,
  }));
}

/** Returns the issues and projects of writes in progress, whose results are unknown. */
export async function writesInProgress(db: Db, accountId: string): Promise<WritesInProgress> {
  const { rows } = await sql<{ target_issue_id: string; project_id: string | null }>`
    select step.target_issue_id, case when step.action = 'create' then step.result ->> 'project_id' end as project_id
    from change
    join change_step step on step.account_id = change.account_id and step.change_id = change.id
    where change.account_id = ${accountId} and change.status = 'applying'
      and step.status = 'applying' and not step.result ? 'kept_out'
  `.execute(db);
  return {
    issueIds: new Set(rows.map((row) => row.target_issue_id)),
    projectIds: new Set(rows.flatMap(({ project_id: id }) => (id === null ? [] : [id]))),
  };
}
