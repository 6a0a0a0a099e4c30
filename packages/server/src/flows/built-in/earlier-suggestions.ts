import type { ChangeRecord } from '../../changes/index.ts';
import { isRequestedBy } from '../request-name.ts';
import type { ActionContext } from './action.ts';

/** Maximum number of changes that are searched for earlier suggestions. */
const MAX_CHANGES_SEARCHED = 100;

type Step = ChangeRecord['steps'][number];

/**
 * Lists the steps that earlier executions applied or proposed on an issue, except failed ones. The
 * same suggestions should not be made again.
 */
export async function earlierSuggestions(context: ActionContext, issueId: string): Promise<Step[]> {
  const { accountId, executionId, services } = context;
  const filter = { issueId, kind: 'flow' as const };
  const { records } = await services.ledger.list(accountId, filter, { limit: MAX_CHANGES_SEARCHED, skip: 0 });
  return records
    .filter(({ change }) => change.status !== 'failed' && !isRequestedBy(executionId, change))
    .flatMap(({ steps }) => steps.filter(({ target_issue_id }) => target_issue_id === issueId));
}

/** True if an earlier execution posted or proposed a comment that starts with `beginning`. */
export async function hasCommented(
  context: ActionContext,
  issueId: string,
  beginning: string,
): Promise<boolean> {
  const steps = await earlierSuggestions(context, issueId);
  return steps.some(({ action, after }) => action === 'comment' && after.comment?.startsWith(beginning));
}
