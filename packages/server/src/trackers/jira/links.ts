import { z } from 'zod';
import { type IssueTarget, TrackerError } from '../provider.ts';
import type { RestCall } from '../rest/client.ts';
import { kindOf, type WireLink, type WireLinkType, wireLinkType } from './map.ts';
import { get, orNull, type Site, subjectOf } from './site.ts';

type WrittenKind = 'blocks' | 'duplicates';

/**
 * A link type of this Jira. The description of its `side` (outward or inward) states the wanted
 * relation, such as "blocks".
 */
interface Wording {
  type: WireLinkType;
  side: 'outward' | 'inward';
}

const wireTypes = z.object({ issueLinkTypes: z.array(wireLinkType) });

/**
 * Finds the link type for a relation in this Jira. Returns null if links are turned off or no link
 * type matches.
 */
export async function findWording(
  site: Site,
  kind: WrittenKind,
  signal: AbortSignal,
): Promise<Wording | null> {
  const call = { path: '/issueLinkType', subject: 'the kinds of links' };
  const types = (await orNull(get(site, wireTypes, call, signal)))?.issueLinkTypes ?? [];
  for (const side of ['outward', 'inward'] as const) {
    const type = types.find((candidate) => kindOf(candidate, side) === kind);
    if (type !== undefined) return { type, side };
  }
  return null;
}

/**
 * Like {@link findWording}, but throws instead of returning null.
 * @throws {TrackerError} `invalid` if this Jira has no such link type
 */
export async function requireWording(site: Site, kind: WrittenKind, signal: AbortSignal): Promise<Wording> {
  const wording = await findWording(site, kind, signal);
  if (wording !== null) return wording;
  throw new TrackerError(
    'invalid',
    `${site.address.name} has no link type “${kind}”. An administrator can add one.`,
  );
}

/** Returns the links of this kind whose other end is the issue `otherId`. */
export function linksTo(
  links: readonly WireLink[] | null | undefined,
  kind: WrittenKind,
  otherId: string,
): WireLink[] {
  return (links ?? []).filter((link) => {
    const side = link.outwardIssue ? 'outward' : 'inward';
    return kindOf(link.type, side) === kind && (link.outwardIssue ?? link.inwardIssue)?.id === otherId;
  });
}

/**
 * Creates a link. In Jira's API, the source of a link is called `inwardIssue`, although the outward
 * description belongs to it.
 */
export async function addLink(
  site: Site,
  { type, side }: Wording,
  target: IssueTarget,
  other: IssueTarget,
  signal: AbortSignal,
): Promise<void> {
  const [from, to] = side === 'outward' ? [target, other] : [other, target];
  const body = {
    type: type.id ? { id: type.id } : { name: type.name },
    inwardIssue: { id: from.externalId },
    outwardIssue: { id: to.externalId },
  };
  const call: RestCall = {
    method: 'POST',
    path: '/issueLink',
    body,
    subject: `${subjectOf(target)} and ${other.key}`,
  };
  await site.client.call(call, signal);
}

/** Removes a link. Does nothing if the link is already gone. */
export async function removeLink(
  site: Site,
  { id }: WireLink,
  target: IssueTarget,
  signal: AbortSignal,
): Promise<void> {
  const path = `/issueLink/${encodeURIComponent(id)}`;
  await orNull(site.client.call({ method: 'DELETE', path, subject: `a link of ${target.key}` }, signal));
}
