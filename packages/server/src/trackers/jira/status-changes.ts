import type { CloseReason } from '@winnow/contract/change';
import type { IssueTarget, ProviderIssue } from '../provider.ts';
import { closingOf, wireHistory } from './history.ts';
import type { Issues } from './issues.ts';
import { addLink, findWording, linksTo, removeLink } from './links.ts';
import { isDone, linksOf } from './map.ts';
import { get, issuePath, type Site, subjectOf } from './site.ts';
import {
  type ClosingReason,
  planClosing,
  planReopening,
  type TransitionPlan,
  wireTransitions,
} from './transitions.ts';

/** Moves the issue to a done status. Does nothing if it has one already. */
export function closeIssue(
  issues: Issues,
  target: IssueTarget,
  reason: CloseReason,
  signal: AbortSignal,
): Promise<ProviderIssue> {
  return closeFor(issues, target, reason, null, signal);
}

/**
 * Closes an issue as a duplicate: links it to the original and moves it to a done status.
 *
 * First verifies that a transition to a done status is available. The link is created before the
 * transition, so if the transition fails, a retry finds the existing link.
 */
export function closeIssueAsDuplicate(
  issues: Issues,
  target: IssueTarget,
  original: IssueTarget,
  signal: AbortSignal,
): Promise<ProviderIssue> {
  return closeFor(issues, target, 'duplicate', original, signal);
}

async function closeFor(
  issues: Issues,
  target: IssueTarget,
  reason: ClosingReason,
  original: IssueTarget | null,
  signal: AbortSignal,
): Promise<ProviderIssue> {
  const { site } = issues;
  const { fields } = await issues.get(target, signal);
  const plan = isDone(fields.status)
    ? null
    : planClosing(target.key, await transitionsOf(site, target, signal), reason);
  if (original !== null && linksTo(fields.issuelinks, 'duplicates', original.externalId).length === 0) {
    // If links are turned off in this Jira, only Winnow's comment names the original.
    const wording = await findWording(site, 'duplicates', signal);
    if (wording !== null) await addLink(site, wording, target, original, signal);
  }
  if (plan !== null) await carryOut(site, target, plan, signal);
  return issues.now(target, signal);
}

/**
 * Verifies that the issue has a done status or can be moved to one.
 * @throws {TrackerError} if the issue cannot be moved to a done status
 */
export async function expectClosable(
  issues: Issues,
  target: IssueTarget,
  signal: AbortSignal,
): Promise<void> {
  const { fields } = await issues.get(target, signal);
  if (isDone(fields.status)) return;
  planClosing(target.key, await transitionsOf(issues.site, target, signal), 'duplicate');
}

/**
 * Moves the issue out of its done status. Removes the duplicate link that was created when the
 * issue was closed.
 */
export async function reopenIssue(
  issues: Issues,
  target: IssueTarget,
  signal: AbortSignal,
): Promise<ProviderIssue> {
  const { site } = issues;
  const { dialect } = site;
  const wire = await issues.get(target, signal);
  if (!isDone(wire.fields.status)) return issues.mapped(wire);
  const query = { fields: 'status', expand: 'changelog' };
  const call = { path: issuePath(target), query, subject: subjectOf(target) };
  const history = await get(site, wireHistory, call, signal);
  const me = dialect.idOf(await site.myself(signal));
  const { before, linkedKeys } = closingOf(history, (user) => dialect.idOf(user) === me);
  const plan = planReopening(target.key, await transitionsOf(site, target, signal), before);
  for (const link of wire.fields.issuelinks ?? []) {
    const [mapped] = linksOf([link]);
    if (mapped?.kind === 'duplicates' && linkedKeys.has(mapped.key))
      await removeLink(site, link, target, signal);
  }
  await carryOut(site, target, plan, signal);
  return issues.now(target, signal);
}

async function transitionsOf(site: Site, target: IssueTarget, signal: AbortSignal) {
  const query = { expand: 'transitions.fields' };
  const call = { path: `${issuePath(target)}/transitions`, query, subject: subjectOf(target) };
  return (await get(site, wireTransitions, call, signal)).transitions;
}

async function carryOut(
  { client }: Site,
  target: IssueTarget,
  body: TransitionPlan,
  signal: AbortSignal,
): Promise<void> {
  const path = `${issuePath(target)}/transitions`;
  await client.call({ method: 'POST', path, body, subject: subjectOf(target) }, signal);
}
