import { type IssueTarget, TrackerError } from '../provider.ts';
import type { RestClient } from '../rest/client.ts';
import { about, isMergeRequest, itemPath } from './api-paths.ts';
import type { ItemCalls } from './item-calls.ts';
import { ensureLink, findLink, isOriginalOf } from './links.ts';
import type { WireItem } from './map.ts';

/**
 * Closes an issue as a duplicate with GitLab's own command. The command also adds notes to both
 * issues and links them.
 *
 * GitLab may ignore the command, for instance without write access to the original's project. This
 * function then closes the issue itself, and links it if allowed.
 *
 * A merge request is only closed, since GitLab has no duplicates of merge requests.
 */
export async function closeAsDuplicate(
  client: RestClient,
  items: ItemCalls,
  target: IssueTarget,
  original: IssueTarget,
  signal: AbortSignal,
): Promise<WireItem> {
  const close = () => items.put(target, { state_event: 'close' }, signal);
  const root = await items.get(original, signal);
  if (isMergeRequest(target) || isMergeRequest(original)) return close();
  const before = await items.get(target, signal);
  if (await isDone(client, before, root, target, original, signal)) return before;
  await command(client, target, `/duplicate ${root.references?.full ?? original.key}`, signal);
  const after = await items.get(target, signal);
  if (await isDone(client, after, root, target, original, signal)) return after;
  await unlessRefused(ensureLink(client, target, original, 'relates_to', signal));
  return close();
}

/**
 * True if the issue is closed as a duplicate of `root`. GitLab before 15.1 does not report the
 * original; there, a link to `root` is enough.
 */
async function isDone(
  client: RestClient,
  wire: WireItem,
  root: WireItem,
  target: IssueTarget,
  original: IssueTarget,
  signal: AbortSignal,
): Promise<boolean> {
  if (wire.state !== 'closed') return false;
  if (wire._links?.closed_as_duplicate_of !== undefined) return isOriginalOf(wire, root);
  return (await findLink(client, target, original, signal)) !== null;
}

/**
 * Posts a quick action, which GitLab executes. GitLab does not store a note that contains only
 * commands.
 */
async function command(
  client: RestClient,
  target: IssueTarget,
  line: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `${itemPath(target)}/notes`;
  await unlessRefused(client.call({ method: 'POST', path, body: { body: line }, ...about(target) }, signal));
}

/** Waits for a call and ignores a refusal by GitLab, because the caller has an alternative. */
async function unlessRefused(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    const refusals = ['forbidden', 'invalid', 'not_found'];
    if (!(error instanceof TrackerError) || !refusals.includes(error.code)) throw error;
  }
}
