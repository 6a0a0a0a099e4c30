import { z } from 'zod';
import { type IssueTarget, TrackerError } from '../provider.ts';
import type { RestCall } from '../rest/client.ts';
import { kindOf, type WireLink, type WireLinkType, wireLinkType } from './map.ts';
import { get, orNull, type Site, subjectOf } from './site.ts';

type WrittenKind = 'blocks' | 'duplicates';

/** A link type, and the side of it whose description matches the relation. */
interface Wording {
  type: WireLinkType;
  side: 'outward' | 'inward';
}

const wireTypes = z.object({ issueLinkTypes: z.array(wireLinkType) });

/**
 * Finds this Jira's link type for a relation. Returns null if links are turned off or no type
 * matches.
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

/** @throws {TrackerError} `invalid` if this Jira has no such link type */
export async function requireWording(site: Site, kind: WrittenKind, signal: AbortSignal): Promise<Wording> {
  const wording = await findWording(site, kind, signal);
  if (wording !== null) return wording;
  throw new TrackerError(
    'invalid',
    `${site.address.name} has no link type “${kind}”. An administrator can add one.`,
  );
}

/** Returns the links with this relation to the given issue. */
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
 * Creates a link. Jira's API calls its source `inwardIssue`, although the source has the outward
 * description.
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

/** Removes a link. It is no error if it is already gone. */
export async function removeLink(
  site: Site,
  { id }: WireLink,
  target: IssueTarget,
  signal: AbortSignal,
): Promise<void> {
  const path = `/issueLink/${encodeURIComponent(id)}`;
  await orNull(site.client.call({ method: 'DELETE', path, subject: `a link of ${target.key}` }, signal));
}
