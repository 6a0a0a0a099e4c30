import { z } from 'zod';
import { type Page, type ProviderProject, TrackerError } from '../provider.ts';
import { malformed } from '../rest/failures.ts';
import { readAs } from '../rest/read.ts';
import { atOrAfter, atOrBefore } from './local-time.ts';
import { time } from './map.ts';
import { type Found, searchFirst } from './search.ts';
import { projectClause, projectSubject, type Site } from './site.ts';
import {
  advance,
  formatCursor,
  isStuck,
  parseCursor,
  recoverLostKey,
  type SeenIssue,
  type UpdateCursor,
  versionOf,
} from './update-cursor.ts';

const wireSeen = z
  .object({ id: z.string(), key: z.string(), fields: z.object({ updated: time }) })
  .transform(({ id, key, fields }): SeenIssue => ({ id, key, updatedAt: fields.updated }));

/** Issues of a project to list, and the fields to read of each. */
export interface Listing<Item> {
  project: ProviderProject;
  /** Fields that Jira returns. `updated` is required. */
  fields: readonly string[];
  size: number;
  /** Converts an issue in Jira's response to the items of the page, such as its comments. */
  read: (wire: unknown) => Promise<Item[]> | Item[];
}

/**
 * Returns one page, from `cursor`, of a project's issues in the order of their update times. Omits
 * issues that the previous page contained.
 */
export async function walk<Item>(
  site: Site,
  listing: Listing<Item>,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<Item>> {
  const { name } = site.address;
  const state = parseCursor(cursor);
  const query = await queryOf(site, listing.project, state, signal);
  const found = await searchOrLost(site, listing, state, query.jql, signal);
  if (found === null) {
    return { items: [], cursor: formatCursor(lostStretch(state)), done: false, total: null };
  }
  const subject = projectSubject(listing.project);
  const seen = readAs(z.array(wireSeen), found.issues, name, subject);
  const { more, answeredAt } = found;
  const now = site.client.now();
  const { next, done } = advance(state, { issues: seen, more, fromMs: query.fromMs, answeredAt, now });
  if (isStuck(state, next)) throw malformed(name, subject);
  const items: Item[] = [];
  for (const [index, issue] of seen.entries()) {
    if (!state.seen.includes(versionOf(issue))) items.push(...(await listing.read(found.issues[index])));
  }
  return { items, cursor: formatCursor(next), done, total: cursor === null ? found.total : null };
}

async function queryOf(
  site: Site,
  project: ProviderProject,
  { sinceMs, stretch }: UpdateCursor,
  signal: AbortSignal,
): Promise<{ jql: string; fromMs: number | null }> {
  const clauses = [projectClause(project, site.address.name)];
  let fromMs: number | null = null;
  if (sinceMs !== null || stretch !== null) {
    const zone = (await site.myself(signal)).timeZone ?? null;
    if (sinceMs !== null) {
      const from = atOrBefore(sinceMs, zone);
      clauses.push(`updated >= "${from.text}"`);
      fromMs = from.earliestMs;
    }
    if (stretch !== null) clauses.push(`updated < "${atOrAfter(stretch.untilMs, zone).text}"`);
  }
  const key = stretch?.keys.at(-1);
  if (key !== undefined) clauses.push(`key >= "${key}"`);
  const order = stretch === null ? 'updated ASC, key ASC' : 'key ASC';
  return { jql: `${clauses.join(' AND ')} ORDER BY ${order}`, fromMs };
}

/**
 * Runs the search. Returns null if Jira refuses the query because the issue that it starts at was
 * deleted.
 */
async function searchOrLost<Item>(
  site: Site,
  { project, fields, size }: Listing<Item>,
  state: UpdateCursor,
  jql: string,
  signal: AbortSignal,
): Promise<Found | null> {
  try {
    return await searchFirst(site, { jql, fields, size, project }, signal);
  } catch (error) {
    const isLost = error instanceof TrackerError && error.code === 'invalid' && state.stretch?.keys.length;
    if (!isLost) throw error;
    return null;
  }
}

function lostStretch(state: UpdateCursor): UpdateCursor {
  return state.stretch === null ? state : recoverLostKey(state, state.stretch);
}
