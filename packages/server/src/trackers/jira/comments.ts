import { z } from 'zod';
import { type IssueTarget, type ProviderComment, TrackerError } from '../provider.ts';
import type { RestCall } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { MARKER_PROPERTY } from './create.ts';
import { toComment, wireComment } from './map.ts';
import { issuePath, orNull, pageOf, readAll, type Site, subjectOf } from './site.ts';

/** Maximum difference assumed between Jira's clock and ours when searching for a posted comment. */
export const CLOCK_DIFFERENCE_MS = 5 * 60_000;

const wireCommented = z.object({
  id: z.string(),
  key: z.string(),
  fields: z.object({
    comment: z.object({ comments: z.array(wireComment), total: z.int().nullish() }).nullish(),
  }),
});

const marked = z.object({ marker: z.string() });

/**
 * Returns all comments of an issue. If an issue has many comments, its search result contains only
 * some of them. This function fetches the missing comments.
 */
export async function commentsOf(site: Site, wire: unknown, signal: AbortSignal): Promise<ProviderComment[]> {
  const { id, key, fields } = readAs(wireCommented, wire, site.address.name, 'comments');
  const listed = fields.comment?.comments ?? [];
  const isAll = listed.length >= (fields.comment?.total ?? 0);
  const call = { path: `/issue/${encodeURIComponent(id)}/comment`, subject: `the issue ${key}` };
  const comments = isAll
    ? listed
    : await orNull(readAll(site, pageOf(wireComment, 'comments'), call, signal));
  return (comments ?? []).map((comment) => toComment(site.dialect, id, comment));
}

export async function postComment(
  site: Site,
  target: IssueTarget,
  body: string,
  marker: string,
  signal: AbortSignal,
): Promise<string> {
  const call: RestCall = {
    method: 'POST',
    path: `${issuePath(target)}/comment`,
    body: { body: site.dialect.writeText(body), properties: [{ key: MARKER_PROPERTY, value: { marker } }] },
    subject: subjectOf(target),
  };
  const answer = await site.client.call(call, signal);
  return readAs(z.object({ id: z.string() }), answer.data, site.address.name, call.subject).id;
}

export async function findMarked(
  site: Site,
  target: IssueTarget,
  marker: string,
  postedAfter: Date,
  signal: AbortSignal,
): Promise<string | null> {
  const call = {
    path: `${issuePath(target)}/comment`,
    query: { expand: 'properties' },
    subject: subjectOf(target),
  };
  const comments = await readAll(site, pageOf(wireComment, 'comments'), call, signal);
  const since = postedAfter.getTime() - CLOCK_DIFFERENCE_MS;
  const found = comments.find(
    ({ created, properties }) =>
      created.getTime() >= since &&
      (properties ?? []).some(({ key, value }) => key === MARKER_PROPERTY && hasMarker(value, marker)),
  );
  return found?.id ?? null;
}

/**
 * True if `value` contains this marker. `value` is the property `winnow`, which we store on
 * comments and issues.
 */
export function hasMarker(value: unknown, marker: string): boolean {
  const parsed = marked.safeParse(value);
  return parsed.success && parsed.data.marker === marker;
}

/** Deletes a comment. Does nothing if the comment is already gone. */
export async function removeComment(
  site: Site,
  target: IssueTarget,
  commentId: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `${issuePath(target)}/comment/${encodeURIComponent(commentId)}`;
  try {
    await site.client.call({ method: 'DELETE', path, subject: `a comment on ${target.key}` }, signal);
  } catch (error) {
    if (!(error instanceof TrackerError) || error.code !== 'not_found') throw error;
  }
}
