import { randomUUID } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '../../platform/clock.ts';
import type { Db } from '../../schema/tables.ts';
import { readSampleBacklog } from './backlog/read-backlog.ts';
import type { SampleIssue } from './backlog/types.ts';
import { insertBacklog } from './store.ts';

/**
 * Fills a sample tracker with the sample backlog. All times are relative to `now`. Call it once, in
 * the transaction that creates the tracker.
 */
export async function seedSampleBacklog(
  db: Db,
  accountId: string,
  trackerId: string,
  now: Date,
): Promise<void> {
  const owner = { account_id: accountId, tracker_id: trackerId };
  const issues = readSampleBacklog().flatMap(({ identifier, issues }) =>
    issues.map((issue) => ({ ...owner, project_identifier: identifier, issue, times: timesOf(issue, now) })),
  );
  const issueRows = issues.map(({ issue, times, ...place }) => ({
    ...place,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state === 'opened' ? ('open' as const) : ('closed' as const),
    state_reason: issue.state === 'opened' ? null : 'completed',
    duplicate_of: null,
    closed_at: issue.state === 'opened' ? null : times.updated,
    issue_type: issue.type,
    priority: issue.priority,
    labels: issue.labels,
    author: issue.author,
    assignees: issue.assignees,
    created_at: times.created,
    updated_at: times.updated,
  }));
  const commentRows = issues.flatMap(({ issue, times, ...place }) =>
    issue.comments.map((comment, index) => {
      const postedAt = times.comments[index] ?? times.created;
      return {
        ...place,
        id: randomUUID(),
        number: issue.number,
        author: comment.author,
        body: comment.body,
        created_at: postedAt,
        updated_at: postedAt,
      };
    }),
  );
  await insertBacklog(db, issueRows, commentRows);
}

/**
 * Returns the creation and update time of an issue. The time of day differs between issues, and is
 * later for higher numbers. Comments stay in the order of the file.
 */
function timesOf(issue: SampleIssue, now: Date): { created: Date; updated: Date; comments: Date[] } {
  const count = issue.comments.length;
  const beforeMidnight = Math.max(0, 1380 - issue.number * 0.8) * MINUTE_MS;
  const at = (daysAgo: number, minutesBefore: number) =>
    new Date(now.getTime() - daysAgo * DAY_MS - beforeMidnight - minutesBefore * MINUTE_MS);
  const comments = issue.comments.map(({ daysAgo }, index) => at(daysAgo, count - index));
  const updated = at(issue.updatedDaysAgo, 0);
  const latest = Math.max(updated.getTime(), ...comments.map((date) => date.getTime()));
  return { created: at(issue.createdDaysAgo, count + 1), updated: new Date(latest), comments };
}
