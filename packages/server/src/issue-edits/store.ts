import { sql } from 'kysely';
import type { Db } from '../schema/tables.ts';

/** An issue that was asked for and may not be among those that are stored. */
export interface AskedFor {
  changeId: string;
  status: 'proposed' | 'applying' | 'applied';
  /** The id of the issue, or of what stands for it until it is there. */
  issueId: string;
  title: string;
  description: string;
}

/** Of issues that wait for approval, so many of the newest are looked at. */
const MOST_PROPOSED = 200;

/** The issues that are proposed or just being made, and those that were made a moment ago; the newest first. */
export async function issuesAskedFor(db: Db, accountId: string): Promise<AskedFor[]> {
  const { rows } = await sql<AskedFor>`
    select asked.id as "changeId", asked.status, step.target_issue_id as "issueId", step.after ->> 'title' as title,
           coalesce(step.after ->> 'description', '') as description
    from (
      select account_id, id, status, created_at from change
      where account_id = ${accountId} and status = 'applying'
      union all
      (select account_id, id, status, created_at from change
       where account_id = ${accountId} and status = 'proposed' and kind in ('mcp', 'flow')
       order by created_at desc limit ${MOST_PROPOSED})
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
