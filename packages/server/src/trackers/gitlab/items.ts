import { z } from 'zod';
import { type ProviderProject, TrackerError } from '../provider.ts';
import type { RestClient } from '../rest/client.ts';
import { readCursor } from '../rest/read.ts';
import { aboutProject, type ItemKind, projectPath } from './api-paths.ts';
import { type Listing, totalOf, type WalkedPage, walk } from './listing.ts';

const position = z.object({
  v: z.literal(1),
  at: z.enum(['issues', 'merge_requests']),
  issues: z.string().nullable(),
  merge_requests: z.string().nullable(),
});
type Position = z.infer<typeof position>;
const START_CURSOR: Position = { v: 1, at: 'issues', issues: null, merge_requests: null };

/** A page of issues or a page of merge requests. On the first page, `total` counts both kinds. */
export interface ItemsPage<Wire> extends WalkedPage<Wire> {
  kind: ItemKind;
  /** True if the token may not see items of this kind. */
  isRefused: boolean;
}

/**
 * Returns one page of a project's issues and merge requests. GitLab lists the two kinds separately,
 * so the cursor stores a position in each listing. Changed issues are read first, then changed
 * merge requests.
 *
 * The listing is complete if neither kind has changes. If nothing has changed, that takes one
 * request per kind.
 */
export async function walkItems<Wire extends { id: number }>(
  client: RestClient,
  project: ProviderProject,
  listing: Omit<Listing<Wire>, 'call'>,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ItemsPage<Wire>> {
  const state = readCursor(position, START_CURSOR, cursor);
  const listingOf = (kind: ItemKind) => ({ ...listing, call: callOf(project, kind) });
  let issues = state.issues;
  if (state.at === 'issues') {
    const page = await walk(client, listingOf('issues'), state.issues, signal);
    issues = page.cursor;
    if (!page.done || page.wires.length > 0) {
      const at = page.done ? 'merge_requests' : 'issues';
      const isFirst = state.issues === null && state.merge_requests === null;
      const total = isFirst ? await totalWith(page.total, client, project, signal) : null;
      const next: Position = { ...state, issues, at };
      return { ...page, kind: 'issues', isRefused: false, cursor: JSON.stringify(next), done: false, total };
    }
  }
  const allowed = await walkIfAllowed(client, listingOf('merge_requests'), state.merge_requests, signal);
  const page = allowed ?? { wires: [], cursor: state.merge_requests ?? '', done: true, total: 0 };
  const next: Position = {
    ...state,
    issues,
    merge_requests: page.cursor,
    at: page.done ? 'issues' : 'merge_requests',
  };
  const done = page.done && state.at === 'issues';
  const isRefused = allowed === null;
  return { ...page, kind: 'merge_requests', isRefused, cursor: JSON.stringify(next), done };
}

async function totalWith(
  issues: number | null,
  client: RestClient,
  project: ProviderProject,
  signal: AbortSignal,
): Promise<number | null> {
  if (issues === null) return null;
  const others = await countOf(client, project, 'merge_requests', signal);
  return others === null ? null : issues + others;
}

/** Returns the number of items in a listing. Returns null if GitLab does not count them. */
export async function countOf(
  client: RestClient,
  project: ProviderProject,
  kind: ItemKind,
  signal: AbortSignal,
): Promise<number | null> {
  const query = { scope: 'all', state: 'all', per_page: '1' };
  try {
    return totalOf(await client.call({ ...callOf(project, kind), method: 'GET', query }, signal));
  } catch (error) {
    if (isRefusal(error, kind)) return 0;
    throw error;
  }
}

function callOf(project: ProviderProject, kind: ItemKind) {
  return { path: `${projectPath(project)}/${kind}`, ...aboutProject(project) };
}

/**
 * Returns one page of a listing. Returns null if GitLab responds with 403 for merge requests: they
 * are turned off, or hidden from guests.
 */
async function walkIfAllowed<Wire extends { id: number }>(
  client: RestClient,
  listing: Listing<Wire>,
  cursor: string | null,
  signal: AbortSignal,
): Promise<WalkedPage<Wire> | null> {
  try {
    return await walk(client, listing, cursor, signal);
  } catch (error) {
    if (isRefusal(error, 'merge_requests')) return null;
    throw error;
  }
}

function isRefusal(error: unknown, kind: ItemKind): boolean {
  return kind === 'merge_requests' && error instanceof TrackerError && error.code === 'forbidden';
}
