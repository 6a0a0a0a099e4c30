import { findIssues, presentIssue } from '../issues/index.ts';
import { AppError, conflict } from '../platform/errors.ts';
import type { Db } from '../schema/tables.ts';

/** Creates the 409 error `changed_since`, with the stored state of the issue. */
export async function changedSince(
  db: Db,
  accountId: string,
  { id, key }: { id: string; key: string },
): Promise<AppError> {
  const [issue] = await findIssues(db, accountId, [id]);
  if (!issue)
    return conflict(
      'issue_gone',
      `${key} is unavailable: it was removed from its tracker or is out of scope.`,
    );
  return new AppError({
    code: 'changed_since',
    category: 'conflict',
    detail: `${key} has changed since you saw it. Look at it again, then decide.`,
    more: { issue: presentIssue(issue) },
  });
}
