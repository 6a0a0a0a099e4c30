import { sql } from 'kysely';
import type { Db } from '../../schema/tables.ts';

/** Fields of an issue that the report displays. */
export interface NamedIssue {
  id: string;
  key: string;
  title: string;
}

/** A group of issues: their total number, and the first of them. */
export interface Counted {
  total: number;
  first: NamedIssue[];
}

export interface BacklogFacts {
  open: number;
  opened: Counted;
  closed: Counted;
  untouched: Counted;
}

export interface ReportRange {
  /**
   * Scope of the report. A null field does not restrict it. If all fields are null, the report
   * covers the whole account.
   */
  projectId: string | null;
  organizationId: string | null;
  trackerId: string | null;
  since: Date;
  /** An open issue counts as untouched if it was not updated since this time. */
  untouchedSince: Date;
  /** Maximum number of new issues returned. */
  openedNamed: number;
  /** Maximum number of closed issues returned, and of untouched issues returned. */
  named: number;
}

/** Reads the changes of a backlog since a time. Omits pull and merge requests. */
export async function readBacklog(db: Db, accountId: string, range: ReportRange): Promise<BacklogFacts> {
  const { projectId, organizationId, trackerId, since, untouchedSince, openedNamed, named } = range;
  const issues = sql`
    issue where issue.account_id = ${accountId} and issue_type <> 'change_request'
      and (${projectId}::uuid is null or project_id = ${projectId})
      and (${organizationId}::uuid is null and ${trackerId}::uuid is null or project_id in (
        select id from project
        where account_id = ${accountId} and organization_id = coalesce(${organizationId}, organization_id)
          and tracker_id = coalesce(${trackerId}, tracker_id)))
  `;
  // Trackers do not list the closing time. It is known from events and from Winnow's own writes.
  // For recently connected projects, the time of the last update is used instead.
  const wasClosed = sql`
    state = 'closed' and updated_at >= ${since} and (
      created_at >= ${since}
      or exists (select from project where project.account_id = issue.account_id and project.id = issue.project_id
                 and project.created_at >= ${since})
      or exists (select from tracker_event event
                 where event.account_id = issue.account_id and event.project_id = issue.project_id
                   and event.issue_external_id = issue.external_id
                   and event.type = 'issue_closed' and event.occurred_at >= ${since})
      or exists (select from change_issue named
                 join change_step step on step.account_id = named.account_id and step.change_id = named.change_id
                 where named.account_id = issue.account_id and named.issue_id = issue.id
                   and step.target_issue_id = issue.id and step.action in ('close', 'close_as_duplicate')
                   and step.status = 'applied' and step.applied_at >= ${since}))
  `;
  const count = async (condition: ReturnType<typeof sql>, order: ReturnType<typeof sql>, limit: number) => {
    const { rows } = await sql<NamedIssue & { total: number }>`
      select id, key, title, count(*) over ()::int as total from ${issues} and ${condition}
      order by ${order}, id limit ${limit}
    `.execute(db);
    return { total: rows[0]?.total ?? 0, first: rows.map(({ id, key, title }) => ({ id, key, title })) };
  };
  const [opened, closed, untouched, open] = await Promise.all([
    count(sql`created_at >= ${since}`, sql`created_at desc`, openedNamed),
    count(wasClosed, sql`updated_at desc`, named),
    count(sql`state = 'opened' and updated_at < ${untouchedSince}`, sql`updated_at`, named),
    count(sql`state = 'opened'`, sql`created_at`, 1),
  ]);
  return { open: open.total, opened, closed, untouched };
}
