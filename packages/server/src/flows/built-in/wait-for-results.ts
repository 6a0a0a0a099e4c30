import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_PROMPT } from '@winnow/contract/compliance';
import { findHeadlines, type IssueView } from '../../issues/index.ts';
import type { ActionContext } from './action.ts';

/**
 * Maximum wait for results, in milliseconds. A new issue is compared within seconds, but a first
 * sync can delay that by minutes.
 */
const WAIT_MS = 90_000;
const COMPARISON_POLL_MS = 250;
/** Poll interval for results of a language model, in milliseconds. Such results take seconds. */
const MODEL_POLL_MS = 1_000;

/**
 * Waits until an issue's current texts are compared with all other issues. Returns false after the
 * timeout.
 */
export function isCompared(
  { db, accountId, now, signal }: ActionContext,
  issue: IssueView,
): Promise<boolean> {
  const look = async () => {
    const [stored] = await findHeadlines(db, accountId, [issue.id]);
    return stored === undefined || stored.analyzed_hash === stored.content_hash;
  };
  return untilTrue(look, COMPARISON_POLL_MS, { now, signal });
}

/**
 * Waits until the pairs of an issue and its most similar issues are judged, if the flow may search.
 * Returns false after the timeout.
 */
export function areJudged(context: ActionContext, issue: IssueView, limit: number): Promise<boolean> {
  const { accountId, budget, services } = context;
  const look = async () => {
    if (!context.tools.may('find_similar')) return true;
    const filter = { createdBefore: null, status: 'all' as const, projectIds: null, limit };
    const { results } = await services.similar.findSimilar(accountId, issue, filter);
    const pairs = results.map((result) => ({ issue1_id: issue.id, issue2_id: result.issue.id }));
    const verdicts = pairs.length === 0 ? [] : await services.verdicts.check(accountId, pairs, { budget });
    return verdicts.every(({ decision, stale }) => decision !== 'checking' && !stale);
  };
  return untilTrue(look, MODEL_POLL_MS, context);
}

/**
 * Waits until issues are scored against the Definition of Ready, if the flow may score. Returns
 * false after the timeout.
 */
export function areScored(context: ActionContext, issueIds: readonly string[]): Promise<boolean> {
  const { accountId, budget, services } = context;
  const look = async () => {
    if (!context.tools.may('check_compliance')) return true;
    const results = await services.evaluations.check(accountId, DEFAULT_PROMPT, issueIds, budget);
    return results.every(({ state, stale }) => state !== 'checking' && !stale);
  };
  return untilTrue(look, MODEL_POLL_MS, context);
}

async function untilTrue(
  look: () => Promise<boolean>,
  everyMs: number,
  { now, signal }: Pick<ActionContext, 'now' | 'signal'>,
): Promise<boolean> {
  const endsAtMs = now().getTime() + WAIT_MS;
  while (!(await look())) {
    if (now().getTime() >= endsAtMs) return false;
    await pause(everyMs, undefined, { signal });
  }
  return true;
}
