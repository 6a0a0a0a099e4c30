import { canComment, canReadNote, levelInProject } from './access.ts';
import type { Call, Reply, Route } from './call.ts';
import { addNote, deleteNote, editNote } from './changes.ts';
import { badRequest, forbidden, notFound } from './gitlab-error.ts';
import { callerOf, itemOf, noteOf, placeOf } from './lookup.ts';
import type { Item, ItemKind, Note } from './model.ts';
import { page } from './pagination.ts';
import { presentNote } from './present.ts';
import { accessLevels } from './seed.ts';

const longestNote = 1_000_000;

/** Routes for the notes of issues and merge requests. */
export const noteRoutes: readonly Route[] = (['issue', 'merge_request'] as const).flatMap(routesOf);

function routesOf(kind: ItemKind): Route[] {
  const path = `/projects/:id/${kind}s/:iid/notes`;
  return [
    { method: 'GET', path, handle: (call) => listNotes(call, itemOf(call, kind)) },
    { method: 'POST', path, handle: (call) => createNote(call, itemOf(call, kind)) },
    { method: 'GET', path: `${path}/:noteId`, handle: (call) => getNote(call, itemOf(call, kind)) },
    { method: 'PUT', path: `${path}/:noteId`, handle: (call) => updateNote(call, itemOf(call, kind)) },
    { method: 'DELETE', path: `${path}/:noteId`, handle: (call) => removeNote(call, itemOf(call, kind)) },
  ];
}

/**
 * Lists notes. Like GitLab, selects a page first and then removes notes that the caller cannot see.
 * A page may therefore contain fewer notes than requested.
 */
function listNotes(call: Call, item: Item): Reply {
  const { params, access, origin } = call;
  const by = params.choice('order_by', ['created_at', 'updated_at']) ?? 'created_at';
  const direction = (params.choice('sort', ['asc', 'desc']) ?? 'desc') === 'asc' ? 1 : -1;
  const filter = params.choice('activity_filter', ['all_notes', 'only_comments', 'only_activity']);
  const notes = item.notes.filter(
    ({ system }) => filter === undefined || filter === 'all_notes' || system === (filter === 'only_activity'),
  );
  const key = (note: Note) => (by === 'updated_at' ? note.updatedMs : note.createdMs);
  notes.sort((a, b) => direction * (key(a) - key(b) || a.id - b.id));
  const reply = page(call, notes, (note) => note);
  const seen = Array.isArray(reply.body) ? reply.body.filter((note) => canReadNote(access.user, note)) : [];
  return { ...reply, body: seen.map((note) => presentNote(origin, note)) };
}

function getNote(call: Call, item: Item): Reply {
  const note = noteOf(call, item);
  if (!canReadNote(call.access.user, note)) throw notFound('Note');
  return { status: 200, body: presentNote(call.origin, note) };
}

/**
 * Creates a note. A note that contains only commands is executed but not stored. The response then
 * has status 202 and contains the results of the commands.
 */
function createNote(call: Call, item: Item): Reply {
  const body = call.params.requiredText('body');
  const author = callerOf(call);
  if (!canComment(call.access.user, item)) throw forbidden();
  if (body.trim() === '') throw badRequest('Note {:note=>["can\'t be blank"]}');
  if (body.length > longestNote) {
    throw badRequest(`Note {:note=>["is too long (maximum is ${longestNote} characters)"]}`);
  }
  const internal = call.params.flag('internal') ?? false;
  const outcome = addNote(placeOf(call), item, author, body, { internal });
  if ('note' in outcome) return { status: 201, body: presentNote(call.origin, outcome.note) };
  return { status: 202, body: { commands_changes: {}, summary: outcome.summary } };
}

function updateNote(call: Call, item: Item): Reply {
  const note = noteOf(call, item);
  requireNoteAdmin(call, note);
  editNote(placeOf(call), note, call.params.requiredText('body'));
  return { status: 200, body: presentNote(call.origin, note) };
}

function removeNote(call: Call, item: Item): Reply {
  const note = noteOf(call, item);
  requireNoteAdmin(call, note);
  deleteNote(note);
  return { status: 204 };
}

/**
 * Checks that the caller may change a note. The author and maintainers may. System notes cannot be
 * changed.
 */
function requireNoteAdmin(call: Call, note: Note): void {
  const user = callerOf(call);
  const isMaintainer = levelInProject(user, note.item.project) >= accessLevels.maintainer;
  if (note.system || (note.author !== user && !isMaintainer)) throw forbidden();
}
