import { canComment, canRead, canSetMetadata, canUpdate } from './access.ts';
import type { Host } from './call.ts';
import { type ItemAction, itemPayload, notePayload } from './hook-payloads.ts';
import { fullReference, type IssueLink, type Item, type Note, type Project, type User } from './model.ts';
import { extractQuickActions, type QuickAction } from './quick-actions.ts';

/** An edit of an issue or a merge request. Missing fields remain unchanged. */
export interface ItemEdit {
  title?: string;
  description?: string | null;
  labels?: string[];
  assignees?: User[];
  confidential?: boolean;
  stateEvent?: 'close' | 'reopen';
}

/** The emulated host, and the origin in the URL of the request. */
export interface Place {
  host: Host;
  origin: string;
}

export function notifyItemHooks({ host, origin }: Place, item: Item, actor: User, action: ItemAction): void {
  const payload = itemPayload(origin, item, actor, action);
  if (item.kind === 'merge_request') {
    host.webhooks.send(item.project, 'merge_requests_events', 'Merge Request Hook', payload);
  } else if (item.confidential) {
    host.webhooks.send(item.project, 'confidential_issues_events', 'Confidential Issue Hook', payload);
  } else {
    host.webhooks.send(item.project, 'issues_events', 'Issue Hook', payload);
  }
}

function sendNoteEvent({ host, origin }: Place, note: Note, action: 'create' | 'update'): void {
  const payload = notePayload(origin, note, action);
  const isHidden = note.internal || note.item.confidential;
  if (isHidden) {
    host.webhooks.send(note.item.project, 'confidential_note_events', 'Confidential Note Hook', payload);
  } else {
    host.webhooks.send(note.item.project, 'note_events', 'Note Hook', payload);
  }
}

/** Adds a system note. GitLab records changes of an item in such notes. */
function systemNote({ host }: Place, item: Item, author: User, body: string): void {
  const nowMs = host.store.now();
  const note = { author, body, system: true, internal: false, createdMs: nowMs, updatedMs: nowMs };
  item.notes.push({ id: host.store.nextId(), item, ...note });
}

/**
 * Applies an edit if it changes anything. More than one assignee is stored only in the premium
 * tier.
 */
export function editItem(place: Place, item: Item, actor: User, edit: ItemEdit): void {
  const { host } = place;
  const before = JSON.stringify(contentOf(item));
  if (edit.title !== undefined && edit.title !== item.title) {
    systemNote(place, item, actor, `changed title from **${item.title}** to **${edit.title}**`);
    item.title = edit.title;
  }
  if (edit.description !== undefined) item.description = edit.description;
  if (edit.confidential !== undefined) item.confidential = edit.confidential;
  if (edit.labels !== undefined) {
    item.labels = [...new Set(edit.labels)].sort();
    for (const label of item.labels) host.store.addLabel(item.project, label);
  }
  if (edit.assignees !== undefined) {
    item.assignees = host.tier !== 'premium' ? edit.assignees.slice(0, 1) : [...new Set(edit.assignees)];
  }
  if (JSON.stringify(contentOf(item)) !== before) {
    item.updatedMs = host.store.now();
    notifyItemHooks(place, item, actor, 'update');
  }
  if (edit.stateEvent === 'close') closeItem(place, item, actor);
  if (edit.stateEvent === 'reopen') reopenItem(place, item, actor);
}

function contentOf(item: Item): unknown {
  const { title, description, labels, confidential } = item;
  return { title, description, labels, confidential, assignees: item.assignees.map(({ id }) => id) };
}

/** Closes an item. Does nothing if it is already closed. */
function closeItem(place: Place, item: Item, actor: User): void {
  if (item.state !== 'opened') return;
  item.state = 'closed';
  item.closedMs = place.host.store.now();
  item.closedBy = actor;
  item.updatedMs = place.host.store.now();
  systemNote(place, item, actor, 'closed');
  notifyItemHooks(place, item, actor, 'close');
}

/** Merges an open merge request. Does nothing for other items. */
export function mergeRequest(place: Place, item: Item, actor: User): void {
  if (item.kind !== 'merge_request' || item.state !== 'opened') return;
  item.state = 'merged';
  item.closedMs = place.host.store.now();
  item.closedBy = actor;
  item.updatedMs = place.host.store.now();
  systemNote(place, item, actor, 'merged');
  notifyItemHooks(place, item, actor, 'merge');
}

/**
 * Reopens an item, and removes the marks that it was moved or is a duplicate. Its links remain.
 * Merged merge requests stay merged.
 */
function reopenItem(place: Place, item: Item, actor: User): void {
  if (item.state !== 'closed') return;
  item.state = 'opened';
  item.closedMs = null;
  item.closedBy = null;
  item.movedTo = null;
  item.duplicatedTo = null;
  item.updatedMs = place.host.store.now();
  systemNote(place, item, actor, 'reopened');
  notifyItemHooks(place, item, actor, 'reopen');
}

export function findLink(host: Host, one: Item, other: Item): IssueLink | undefined {
  return host.store.links.find(
    ({ source, target }) => (source === one && target === other) || (source === other && target === one),
  );
}

export function linkIssues(
  place: Place,
  source: Item,
  target: Item,
  type: IssueLink['type'],
  by: User,
): IssueLink {
  const { store } = place.host;
  const link: IssueLink = { id: store.nextId(), source, target, type, createdMs: store.now() };
  store.links.push(link);
  for (const [item, other] of [
    [source, target],
    [target, source],
  ] as const) {
    systemNote(place, item, by, `marked this issue as related to ${fullReference(other)}`);
    item.updatedMs = store.now();
  }
  return link;
}

/**
 * Marks an issue as a duplicate, like GitLab's command `/duplicate`. Adds notes to both issues,
 * closes the duplicate and links both.
 */
function markDuplicate(place: Place, item: Item, original: Item, actor: User): void {
  systemNote(place, item, actor, `marked this issue as a duplicate of ${fullReference(original)}`);
  systemNote(place, original, actor, `marked ${fullReference(item)} as a duplicate of this issue`);
  closeItem(place, item, actor);
  item.duplicatedTo = original;
  item.updatedMs = place.host.store.now();
  original.updatedMs = place.host.store.now();
  if (!findLink(place.host, item, original)) linkIssues(place, item, original, 'relates_to', actor);
}

/**
 * Result of adding a note. A note that contains only commands is not stored; `summary` then holds
 * their results.
 */
type NoteOutcome = { note: Note } | { summary: string[] };

/** Adds a note. Executes the quick actions in it and removes their lines from the text. */
export function addNote(
  place: Place,
  item: Item,
  author: User,
  text: string,
  options: { internal?: boolean } = {},
): NoteOutcome {
  const { store } = place.host;
  const { content, actions } = extractQuickActions(text);
  let made: Note | null = null;
  if (content !== '' || actions.length === 0) {
    const nowMs = store.now();
    const times = { createdMs: nowMs, updatedMs: nowMs };
    const internal = options.internal ?? false;
    made = { id: store.nextId(), item, author, body: content, system: false, internal, ...times };
    item.notes.push(made);
    item.updatedMs = nowMs;
    sendNoteEvent(place, made, 'create');
  }
  const summary = actions.map((action) => executeAction(place, item, author, action));
  return made === null ? { summary } : { note: made };
}

export function editNote(place: Place, note: Note, body: string): void {
  note.body = body;
  note.updatedMs = place.host.store.now();
  note.item.updatedMs = note.updatedMs;
  sendNoteEvent(place, note, 'update');
}

/** Deletes a note. Does not change the `updated_at` of its item. */
export function deleteNote(note: Note): void {
  note.item.notes = note.item.notes.filter((entry) => entry !== note);
}

/** Executes a quick action. Returns the message that GitLab shows as its result. */
function executeAction(place: Place, item: Item, actor: User, { name, argument }: QuickAction): string {
  switch (name) {
    case 'duplicate':
      return executeDuplicate(place, item, actor, argument);
    case 'close':
      if (!canUpdate(actor, item)) return 'Could not apply close command.';
      closeItem(place, item, actor);
      return 'Closed this issue.';
    case 'reopen':
      if (!canUpdate(actor, item)) return 'Could not apply reopen command.';
      reopenItem(place, item, actor);
      return 'Reopened this issue.';
    default:
      return `Could not apply ${name} command.`;
  }
}

function executeDuplicate(place: Place, item: Item, actor: User, argument: string): string {
  if (item.kind !== 'issue' || !canSetMetadata(actor, item)) return 'Could not apply duplicate command.';
  const original = findReference(place, item.project, argument);
  if (original?.kind !== 'issue' || !canRead(actor, original)) {
    return 'Failed to mark this issue as a duplicate because referenced issue was not found.';
  }
  if (original === item) return 'Failed to mark the issue as a duplicate of itself.';
  if (!canUpdate(actor, item) || !canComment(actor, original)) {
    return 'Failed to mark this issue as a duplicate due to insufficient permissions.';
  }
  markDuplicate(place, item, original, actor);
  return `Closed this issue. Marked as related to, and a duplicate of, ${fullReference(original)}.`;
}

/** Finds the issue to which a reference such as `#12` or `group/project#12` refers. */
function findReference({ host }: Place, project: Project, reference: string): Item | undefined {
  const [, path, iid] = /^([^\s#]*)#(\d+)$/.exec(reference) ?? [];
  if (iid === undefined) return undefined;
  const where = path === undefined || path === '' ? project : host.store.project(path);
  return where && host.store.item(where, 'issue', Number(iid));
}

/** Copies an issue and its notes to another project, and closes the original issue. */
export function moveIssue(place: Place, item: Item, target: Project, actor: User): Item {
  const { store } = place.host;
  const nowMs = store.now();
  const moved: Item = {
    ...item,
    id: store.nextId(),
    iid: store.nextIid(target, 'issue'),
    project: target,
    notes: [],
    updatedMs: nowMs,
  };
  moved.notes = item.notes.map((note) => ({ ...note, id: store.nextId(), item: moved }));
  target.items.push(moved);
  systemNote(place, moved, actor, `moved from ${fullReference(item)}`);
  systemNote(place, item, actor, `moved to ${fullReference(moved)}`);
  closeItem(place, item, actor);
  item.movedTo = moved;
  return moved;
}

/** Deletes an item and its links. Removes references from its duplicates. */
export function deleteItem({ store }: Host, item: Item): void {
  item.project.items = item.project.items.filter((entry) => entry !== item);
  store.links = store.links.filter(({ source, target }) => source !== item && target !== item);
  for (const project of store.projects) {
    for (const other of project.items) if (other.duplicatedTo === item) other.duplicatedTo = null;
  }
}
