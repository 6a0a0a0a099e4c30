import { z } from 'zod';
import {
  type IssueTarget,
  type LinkKind,
  type Provider,
  type ProviderLink,
  type ProviderProject,
  TrackerError,
} from '../provider.ts';
import type { RestCall, RestClient } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { about, isMergeRequest, itemOf, itemPath } from './api-paths.ts';
import type { ItemCalls } from './item-calls.ts';
import { originalOf, type WireItem, wireItem } from './map.ts';
import { deleteNote, findNote, postNote } from './notes.ts';
import { unlessGone } from './unless-gone.ts';

const wireRelated = wireItem.extend({
  issue_link_id: z.int(),
  link_type: z.string(),
  link_created_at: z.coerce.date().nullish(),
});
type WireRelated = z.infer<typeof wireRelated>;

export type LinkType = 'relates_to' | 'blocks';

/** Returns the issues that are linked to this issue. GitLab lists them on a single page. */
async function readLinks(
  client: RestClient,
  target: IssueTarget,
  signal: AbortSignal,
): Promise<WireRelated[]> {
  const call: RestCall = { method: 'GET', path: `${itemPath(target)}/links`, ...about(target) };
  return readAs(
    z.array(wireRelated),
    (await client.call(call, signal)).data,
    client.address.name,
    call.subject,
  );
}

/**
 * Returns the links of an issue. A merge request has no links. For a duplicate, GitLab reports a
 * plain link to the original, and separately that the issue is a duplicate.
 */
async function listLinks(
  client: RestClient,
  target: IssueTarget,
  wire: WireItem,
  signal: AbortSignal,
): Promise<ProviderLink[]> {
  if (isMergeRequest(target)) return [];
  const related = await readLinks(client, target, signal);
  return related.flatMap((other) => {
    const key = other.references?.full;
    return key === undefined ? [] : [{ kind: kindOf(wire, other), key }];
  });
}

function kindOf(wire: WireItem, other: WireRelated): LinkKind {
  if (other.link_type === 'blocks') return 'blocks';
  if (other.link_type === 'is_blocked_by') return 'blocked_by';
  if (isOriginalOf(wire, other)) return 'duplicates';
  return isOriginalOf(other, wire) ? 'duplicated_by' : 'related';
}

/** True if GitLab reports that `duplicate` was closed as a duplicate of `other`. */
export function isOriginalOf(duplicate: WireItem, other: WireItem): boolean {
  const original = originalOf(duplicate);
  return original?.projectId === String(other.project_id) && original.iid === String(other.iid);
}

/**
 * Returns the link between two issues, regardless of its type. Returns null if they are not linked.
 */
export async function findLink(
  client: RestClient,
  target: IssueTarget,
  other: IssueTarget,
  signal: AbortSignal,
): Promise<WireRelated | null> {
  const { iid } = itemOf(other.externalId);
  const links = await readLinks(client, target, signal);
  return links.find((link) => isIn(other.project, link) && String(link.iid) === iid) ?? null;
}

function isIn({ externalId }: ProviderProject, { project_id }: WireItem): boolean {
  return String(project_id) === externalId;
}

/**
 * Links two issues that are not linked yet. If GitLab refuses, returns its error. Returns null on
 * success.
 */
async function tryLink(
  client: RestClient,
  target: IssueTarget,
  other: IssueTarget,
  type: LinkType,
  signal: AbortSignal,
): Promise<TrackerError | null> {
  const body = {
    target_project_id: other.project.externalId,
    target_issue_iid: itemOf(other.externalId).iid,
    link_type: type,
  };
  try {
    await client.call({ method: 'POST', path: `${itemPath(target)}/links`, body, ...about(target) }, signal);
    return null;
  } catch (error) {
    if (error instanceof TrackerError && ['invalid', 'forbidden'].includes(error.code)) return error;
    throw error;
  }
}

/**
 * Links two issues, unless they are linked already, and returns the type of the link. The type is
 * `relates_to` if this GitLab has no blocking links. An existing plain link is replaced by a
 * blocking link, because GitLab allows only one link per pair of issues.
 *
 * If GitLab refuses a blocking link, tries a plain link. If that fails too, the type was not the
 * reason. The error text is not parsed, because its language depends on the token's owner.
 *
 * @throws {TrackerError} `unsupported` if one of the two is a merge request
 */
export async function ensureLink(
  client: RestClient,
  target: IssueTarget,
  other: IssueTarget,
  type: LinkType,
  signal: AbortSignal,
): Promise<LinkType> {
  if (isMergeRequest(target) || isMergeRequest(other)) {
    throw new TrackerError(
      'unsupported',
      `${client.address.name} can only link issues with issues, not with merge requests.`,
    );
  }
  const refusal = await tryLink(client, target, other, type, signal);
  if (refusal === null) return type;
  const there = await findLink(client, target, other, signal);
  if (there !== null && (type === 'relates_to' || there.link_type === type)) return type;
  if (type === 'relates_to') throw refusal;
  const isTaken = refusal.code === 'invalid' && !refusal.answer.includes('link_type');
  if (there === null || !isTaken) return ensureLink(client, target, other, 'relates_to', signal);
  await deleteLink(client, target, there, signal);
  const again = await tryLink(client, target, other, type, signal);
  if (again !== null) throw again;
  return type;
}

/**
 * Maximum time in ms between closing an issue as a duplicate and the creation of the link by
 * GitLab. Links that users created are usually older.
 */
const MAX_CLOSING_LINK_DELAY_MS = 10_000;

/**
 * Removes the link that GitLab created when it closed a duplicate. Keeps links that users created
 * earlier.
 */
export async function unlinkOriginal(
  client: RestClient,
  target: IssueTarget,
  wire: WireItem,
  signal: AbortSignal,
): Promise<void> {
  const { closed_at: closedAt } = wire;
  if (isMergeRequest(target) || originalOf(wire) === null || !closedAt) return;
  const link = (await readLinks(client, target, signal)).find((other) => isOriginalOf(wire, other));
  if (link?.link_type !== 'relates_to' || !link.link_created_at) return;
  const age = new Date(closedAt).getTime() - link.link_created_at.getTime();
  if (Math.abs(age) <= MAX_CLOSING_LINK_DELAY_MS) await deleteLink(client, target, link, signal);
}

/** Deletes a link. Does nothing if the link is already gone. */
async function deleteLink(
  client: RestClient,
  target: IssueTarget,
  link: { issue_link_id: number },
  signal: AbortSignal,
): Promise<void> {
  const path = `${itemPath(target)}/links/${link.issue_link_id}`;
  await unlessGone(client.call({ method: 'DELETE', path, ...about(target) }, signal));
}

/**
 * Returns the methods for links between issues. If the license has no blocking links, writes a
 * plain link and a comment instead. A duplicate is always a plain link, which GitLab creates when
 * it closes the issue.
 */
export function gitLabLinks(
  client: RestClient,
  items: ItemCalls,
): Pick<Provider, 'links' | 'link' | 'unlink'> {
  return {
    async links(target, signal) {
      return listLinks(client, target, await items.get(target, signal), signal);
    },

    async link(target, kind, other, signal) {
      const type = kind === 'blocks' ? 'blocks' : 'relates_to';
      const made = await ensureLink(client, target, other, type, signal);
      if (made === type) return;
      const marker = blocksMarker(other);
      if ((await findNote(client, target, marker, new Date(0), signal)) !== null) return;
      const text = `Blocks ${other.key}. This GitLab has no blocking links, so the two are linked as related.`;
      await postNote(client, target, text, marker, signal);
    },

    async unlink(target, kind, other, signal) {
      const link = await findLink(client, target, other, signal);
      const type = kind === 'blocks' ? 'blocks' : 'relates_to';
      if (link?.link_type === type) await deleteLink(client, target, link, signal);
      if (kind === 'duplicates') return;
      const note = await findNote(client, target, blocksMarker(other), new Date(0), signal);
      if (note === null) return;
      if (link?.link_type === 'relates_to') await deleteLink(client, target, link, signal);
      await deleteNote(client, target, note, signal);
    },
  };
}

/** Returns the marker of the comment that explains a plain link used instead of a blocking link. */
function blocksMarker({ project, externalId }: IssueTarget): string {
  return `blocks-${project.externalId}-${externalId}`;
}
