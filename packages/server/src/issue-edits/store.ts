import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/** An issue whose creation was requested. It may not be created yet. */
export interface RequestedIssue {
  changeId: string;
  status: 'proposed' | 'applying' | 'applied';
  /** Id of the issue. Before it is created, its temporary id. */
  issueId: string;
  title: string;
  description: string;
}

/** Maximum number of proposed issues with which a draft is compared, newest first. */
const MAX_PROPOSED_ISSUES_COMPARED = 200;

/**
 * Lists issues that are proposed, are being created, or were created in the last ten minutes.
 * Newest first.
 */
export async function listRequestedIssues(db: Db, accountId: string): Promise<RequestedIssue[]> {
  const { rows } = await sql<RequestedIssue>`
    select asked.id as "changeId", asked.status, step.target_issue_id as "issueId", step.after ->> 'title' as title,
           coalesce(step.after ->> 'description', '') as description
    from (
      select account_id, id, status, created_at from change
      where account_id = ${accountId} and status = 'applying'
      union all
      (select account_id, id, status, created_at from change
       where account_id = ${accountId} and status = 'proposed' and kind in ('mcp', 'flow')
       order by created_at desc limit ${MAX_PROPOSED_ISSUES_COMPARED})
      union all
      select account_id, id, status, created_at from change
      where account_id = ${accountId} and status = 'applied' and created_at > now() - interval '7 days'
        and coalesce(decided_at, created_at) > now() - interval '10 minutes'
    ) asked
    join change_step step on step.account_id = asked.account_id and step.change_id = asked.id
    where step.action = 'create'
    order by asked.created_at desc, asked.id
  `.execute(db);
  return rows;
}
