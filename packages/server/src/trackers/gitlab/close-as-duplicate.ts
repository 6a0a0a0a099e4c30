import { type IssueTarget, TrackerError } from '../provider.ts';
import type { RestClient } from '../rest/client.ts';
import type { ItemCalls } from './item-calls.ts';
import { ensureLink, findLink, isOriginalOf } from './links.ts';
import type { WireItem } from './map.ts';
import { about, isMergeRequest, itemPath } from './place.ts';

/**
 * Closes an issue as a duplicate by GitLab's own command, which closes it, names the original in notes on both, and links
 * them. Where GitLab does not carry it out, for instance because the original's project may not be written to, the issue
 * is linked if that may be done, and closed. A merge request is closed and no more: GitLab knows no duplicates of those.
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

/** Whether it is closed as a duplicate of the root; before 15.1 GitLab tells of no original, and a link must do. */
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

/** Has GitLab carry out a command. What is nothing but commands is not kept as a note. */
async function command(
  client: RestClient,
  target: IssueTarget,
  line: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `${itemPath(target)}/notes`;
  await unlessRefused(client.call({ method: 'POST', path, body: { body: line }, ...about(target) }, signal));
}

/** Waits for what need not succeed: a refusal is answered by doing it in another way. */
async function unlessRefused(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    const refusals = ['forbidden', 'invalid', 'not_found'];
    if (!(error instanceof TrackerError) || !refusals.includes(error.code)) throw error;
  }
}
