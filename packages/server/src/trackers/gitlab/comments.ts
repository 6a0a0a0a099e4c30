import { z } from 'zod';
import type { Page, ProviderComment, ProviderProject } from '../provider.ts';
import type { RestClient } from '../rest/client.ts';
import { readCursor } from '../rest/read.ts';
import { walkItems } from './items.ts';
import { externalIdOf, toComment, type WireItem, wireItem } from './map.ts';
import { readNotes } from './notes.ts';
import { keyOf } from './place.ts';
import { unlessGone } from './unless-gone.ts';

/** How many items’ notes make a page: a multiple of the calls a host gets at once, so that none stands idle at its end. */
const ITEMS_A_PAGE = 20;

const position = z.object({
  v: z.literal(1),
  /** Where the walk through the items stands. */
  items: z.string().nullable(),
  /** Items of the page before that place whose notes are still to be read. */
  pending: z.array(z.string()).default([]),
  /** Whether the walk had come to its end with them. */
  last: z.boolean().default(false),
});
type Position = z.infer<typeof position>;
const START: Position = { v: 1, items: null, pending: [], last: false };

function formatPosition({ v, items, pending, last }: Position): string {
  return JSON.stringify({ v, items, ...(pending.length > 0 ? { pending } : {}), ...(last ? { last } : {}) });
}

/**
 * One page of a project's comments. GitLab lists notes by item only, and a note, written or edited, moves its item's time
 * of update: so this walks through the items by that time and asks for the notes of those that have any. A sync costs a
 * request for each item that changed and has comments, and two when nothing is new.
 */
export async function walkComments(
  client: RestClient,
  project: ProviderProject,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<ProviderComment>> {
  let state = readCursor(position, START, cursor);
  if (state.pending.length === 0) {
    const timeOf = ({ updated_at }: WireItem) => updated_at;
    const listing = { schema: wireItem, by: 'updated_at', timeOf } as const;
    const page = await walkItems(client, project, listing, state.items, signal);
    const pending = page.wires
      .filter(({ user_notes_count }) => user_notes_count !== 0)
      .map((wire) => externalIdOf(page.kind, wire));
    state = { v: 1, items: page.cursor, pending, last: page.done };
  }
  const now = state.pending.slice(0, ITEMS_A_PAGE);
  const pending = state.pending.slice(ITEMS_A_PAGE);
  const read = await Promise.all(now.map((externalId) => commentsOf(client, project, externalId, signal)));
  const done = pending.length === 0 && state.last;
  const next = { ...state, pending, last: state.last && !done };
  return { items: read.flat(), cursor: formatPosition(next), done, total: null };
}

/** None for an item that is gone meanwhile. */
async function commentsOf(
  client: RestClient,
  project: ProviderProject,
  externalId: string,
  signal: AbortSignal,
): Promise<ProviderComment[]> {
  const target = { project, externalId, key: keyOf(project, externalId) };
  const notes = await unlessGone(readNotes(client, target, 'asc', signal));
  return (notes ?? []).map((note) => toComment(externalId, note));
}
