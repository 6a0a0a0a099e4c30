import type { ChangeRecord } from '../../changes/ledger.ts';
import { isRequestedBy } from '../request-name.ts';
import type { ActionContext } from './action.ts';

/** Changes of flows that are looked through. */
const LOOKED_AT = 100;

type Step = ChangeRecord['steps'][number];

/**
 * The steps that flows have carried out or proposed on an issue, in executions before this one: what a person turned down
 * or took back is not suggested again, nor what still waits for somebody's decision.
 */
export async function suggestedBefore(context: ActionContext, issueId: string): Promise<Step[]> {
  const { accountId, executionId, services } = context;
  const filter = { issueId, kind: 'flow' as const };
  const { records } = await services.ledger.list(accountId, filter, { limit: LOOKED_AT, skip: 0 });
  return records
    .filter(({ change }) => change.status !== 'failed' && !isRequestedBy(executionId, change))
    .flatMap(({ steps }) => steps.filter(({ target_issue_id }) => target_issue_id === issueId));
}

/** Whether a flow has commented on an issue with a text that begins like this. */
export async function hasSaid(context: ActionContext, issueId: string, beginning: string): Promise<boolean> {
  const steps = await suggestedBefore(context, issueId);
  return steps.some(({ action, after }) => action === 'comment' && after.comment?.startsWith(beginning));
}
