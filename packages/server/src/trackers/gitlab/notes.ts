import { z } from 'zod';
import { carriesMarker, withMarker } from '../comment-marker.ts';
import type { IssueTarget } from '../provider.ts';
import type { RestCall, RestClient } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import { about, itemPath } from './api-paths.ts';
import { readAll } from './listing.ts';
import { type WireNote, wireNote } from './map.ts';
import { withoutQuickActions } from './quick-actions.ts';
import { unlessGone } from './unless-gone.ts';

function notesPath(target: IssueTarget): string {
  return `${itemPath(target)}/notes`;
}

/**
 * Returns the notes that users wrote on an item, sorted by creation time. If `since` is given,
 * reads the newest notes first and stops at that time.
 */
export async function readNotes(
  client: RestClient,
  target: IssueTarget,
  sort: 'asc' | 'desc',
  signal: AbortSignal,
  since: Date | null = null,
): Promise<WireNote[]> {
  const query = { order_by: 'created_at', sort, activity_filter: 'only_comments' };
  const call = { path: notesPath(target), query, ...about(target) };
  const isEnough = (page: WireNote[]) => since !== null && page.some(({ created_at }) => created_at < since);
  const notes = await readAll(client, wireNote, call, signal, isEnough);
  // Removes system notes, because GitLab versions that ignore `activity_filter` return them.
  return notes.filter(({ system }) => !system);
}

/**
 * Posts a note with the marker and returns its id. Escapes quick actions in the text, so that
 * GitLab does not execute them.
 */
export async function postNote(
  client: RestClient,
  target: IssueTarget,
  text: string,
  marker: string,
  signal: AbortSignal,
): Promise<string> {
  const body = { body: withMarker(withoutQuickActions(text), marker) };
  const call: RestCall = { method: 'POST', path: notesPath(target), body, ...about(target) };
  const { data } = await client.call(call, signal);
  return String(readAs(z.object({ id: z.int() }), data, client.address.name, call.subject).id);
}

/**
 * Returns the id of the note with this marker that was posted after the given time. Returns null if
 * there is none.
 */
export async function findNote(
  client: RestClient,
  target: IssueTarget,
  marker: string,
  since: Date,
  signal: AbortSignal,
): Promise<string | null> {
  const notes = await readNotes(client, target, 'desc', signal, since);
  const found = notes.find(({ body }) => carriesMarker(body ?? '', marker));
  return found === undefined ? null : String(found.id);
}

/** Deletes a note. Does nothing if the note is already gone. */
export async function deleteNote(
  client: RestClient,
  target: IssueTarget,
  noteId: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `${notesPath(target)}/${encodeURIComponent(noteId)}`;
  await unlessGone(client.call({ method: 'DELETE', path, ...about(target) }, signal));
}
