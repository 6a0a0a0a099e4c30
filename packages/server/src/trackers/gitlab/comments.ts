import { z } from 'zod';
import type { Page, ProviderComment, ProviderProject } from '../provider.ts';
import type { RestClient } from '../rest/client.ts';
import { readCursor } from '../rest/read.ts';
import { issueKey } from './api-paths.ts';
import { walkItems } from './items.ts';
import { externalIdOf, toComment, type WireItem, wireItem } from './map.ts';
import { readNotes } from './notes.ts';
import { unlessGone } from './unless-gone.ts';

/**
 * Number of items whose notes are read for one page. It is a multiple of the maximum concurrent
 * calls per host, so that no slot stays idle.
 */
const ITEMS_PER_PAGE = 20;

const position = z.object({
  v: z.literal(1),
  /** Cursor in the listing of the project's issues and merge requests. */
  items: z.string().nullable(),
  /** Items listed before that cursor whose notes are not read yet. */
  pending: z.array(z.string()).default([]),
  /** True if `pending` contains the last items of the listing. */
  last: z.boolean().default(false),
});
type Position = z.infer<typeof position>;
const START_CURSOR: Position = { v: 1, items: null, pending: [], last: false };

function formatPosition({ v, items, pending, last }: Position): string {
  return JSON.stringify({ v, items, ...(pending.length > 0 ? { pending } : {}), ...(last ? { last } : {}) });
}

/**
 * Returns one page of a project's comments.
 *
 * GitLab lists notes only per item, and a new or edited note changes the update time of its item.
 * So this function lists items by update time and reads their notes. A sync takes one request per
 * changed item with comments, and two requests if nothing has changed.
 */
export async function walkComments(
  client: RestClient,
  project: ProviderProject,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<ProviderComment>> {
  let state = readCursor(position, START_CURSOR, cursor);
  if (state.pending.length === 0) {
    const timeOf = ({ updated_at }: WireItem) => updated_at;
    const listing = { schema: wireItem, by: 'updated_at', timeOf } as const;
    const page = await walkItems(client, project, listing, state.items, signal);
    const pending = page.wires
      .filter(({ user_notes_count }) => user_notes_count !== 0)
      .map((wire) => externalIdOf(page.kind, wire));
    state = { v: 1, items: page.cursor, pending, last: page.done };
  }
  const now = state.pending.slice(0, ITEMS_PER_PAGE);
  const pending = state.pending.slice(ITEMS_PER_PAGE);
  const read = await Promise.all(now.map((externalId) => commentsOf(client, project, externalId, signal)));
  const done = pending.length === 0 && state.last;
  const next = { ...state, pending, last: state.last && !done };
  return { items: read.flat(), cursor: formatPosition(next), done, total: null };
}

/** Returns the comments of an item. Returns none if the item was deleted. */
async function commentsOf(
  client: RestClient,
  project: ProviderProject,
  externalId: string,
  signal: AbortSignal,
): Promise<ProviderComment[]> {
  const target = { project, externalId, key: issueKey(project, externalId) };
  const notes = await unlessGone(readNotes(client, target, 'asc', signal));
  return (notes ?? []).map((note) => toComment(externalId, note));
}
