import type { Account, Comment, Issue, IssueEvent, Label, Repo } from './model.ts';
import type { GitHubStateReason } from './seed.ts';
import type { Store } from './store.ts';

/** What to change on an issue; what is absent stays. Labels and assignees replace those there. */
export interface IssueEdit {
  title?: string;
  body?: string | null;
  state?: 'open' | 'closed';
  /** counts only when the state changes */
  stateReason?: GitHubStateReason | null;
  /** counts only with the reason `duplicate` */
  duplicateOf?: Issue;
  labels?: string[];
  assignees?: string[];
}

/** Moves `updated_at`, never backwards. */
function moved(store: Store, issue: Issue): void {
  issue.updatedMs = Math.max(issue.updatedMs, store.now());
  issue.repo.issues.touch();
}

function record(
  store: Store,
  issue: Issue,
  actor: Account,
  event: string,
  detail: IssueEvent['detail'] = {},
): void {
  const entry: IssueEvent = {
    id: store.nextId('event'),
    issue,
    actor,
    event,
    createdMs: store.now(),
    detail,
  };
  issue.events.push(entry);
  issue.repo.events.push(entry);
}

/** Carries out an edit as `actor`, whatever `actor` may do, and records the events GitHub would show. */
export function editIssue(store: Store, issue: Issue, actor: Account, edit: IssueEdit): void {
  let changed = false;
  if (edit.title !== undefined && edit.title !== issue.title) {
    record(store, issue, actor, 'renamed', { rename: { from: issue.title, to: edit.title } });
    issue.title = edit.title;
    changed = true;
  }
  if (edit.body !== undefined && edit.body !== issue.body) {
    issue.body = edit.body;
    changed = true;
  }
  if (edit.labels !== undefined) changed = replaceLabels(store, issue, actor, edit.labels) || changed;
  if (edit.assignees !== undefined)
    changed = replaceAssignees(store, issue, actor, edit.assignees) || changed;
  if (edit.state !== undefined && edit.state !== issue.state) {
    changeState(store, issue, actor, edit);
    changed = true;
  }
  if (changed) moved(store, issue);
}

function changeState(store: Store, issue: Issue, actor: Account, edit: IssueEdit): void {
  if (edit.state === 'closed') {
    issue.state = 'closed';
    issue.stateReason = issue.isPull ? null : (edit.stateReason ?? 'completed');
    issue.closedMs = store.now();
    issue.closedBy = actor;
    if (issue.stateReason === 'duplicate' && edit.duplicateOf) {
      issue.duplicateOf = edit.duplicateOf;
      record(store, issue, actor, 'marked_as_duplicate');
    }
    record(store, issue, actor, 'closed', { state_reason: issue.stateReason });
    return;
  }
  if (issue.duplicateOf) record(store, issue, actor, 'unmarked_as_duplicate');
  issue.state = 'open';
  issue.stateReason = issue.isPull ? null : 'reopened';
  issue.duplicateOf = null;
  issue.closedMs = null;
  issue.closedBy = null;
  record(store, issue, actor, 'reopened', { state_reason: issue.stateReason });
}

function replaceLabels(store: Store, issue: Issue, actor: Account, names: string[]): boolean {
  const wanted = [...new Set(names.map((name) => store.label(issue.repo, name)))];
  const had = new Set(issue.labels);
  const added = wanted.filter((label) => !had.has(label));
  const keep = new Set(wanted);
  const removed = issue.labels.filter((label) => !keep.has(label));
  for (const label of removed) record(store, issue, actor, 'unlabeled', { label });
  for (const label of added) record(store, issue, actor, 'labeled', { label });
  issue.labels = wanted;
  return added.length + removed.length > 0;
}

function replaceAssignees(store: Store, issue: Issue, actor: Account, logins: string[]): boolean {
  const wanted = [...new Set(logins.map((login) => store.account(login)))];
  const added = wanted.filter((person) => !issue.assignees.includes(person));
  const removed = issue.assignees.filter((person) => !wanted.includes(person));
  for (const assignee of removed) record(store, issue, actor, 'unassigned', { assignee });
  for (const assignee of added) record(store, issue, actor, 'assigned', { assignee });
  issue.assignees = wanted;
  return added.length + removed.length > 0;
}

/** Writes a comment. The issue's `updated_at` moves, as it does for edits and deletions of comments. */
export function addComment(store: Store, issue: Issue, actor: Account, body: string): Comment {
  const comment = store.addComment(issue, actor, body, store.now());
  moved(store, issue);
  return comment;
}

export function editComment(store: Store, comment: Comment, body: string): void {
  comment.body = body;
  comment.updatedMs = Math.max(comment.updatedMs, store.now());
  comment.issue.repo.comments.touch();
  moved(store, comment.issue);
}

export function deleteComment(store: Store, comment: Comment): void {
  const { issue } = comment;
  issue.comments = issue.comments.filter((other) => other !== comment);
  issue.repo.comments.remove(comment);
  store.commentsById.delete(comment.id);
  moved(store, issue);
}

/** Takes an issue away for good; its number answers 410 from then on. */
export function deleteIssue(store: Store, issue: Issue): void {
  for (const comment of issue.comments) store.commentsById.delete(comment.id);
  for (const comment of issue.comments) issue.repo.comments.remove(comment);
  issue.repo.events = issue.repo.events.filter((event) => event.issue !== issue);
  issue.repo.issues.remove(issue);
  issue.repo.byNumber.delete(issue.number);
  issue.repo.deletedNumbers.add(issue.number);
  store.issuesById.delete(issue.id);
}

/** Takes a label from the repository and from every issue that carries it. */
export function deleteLabel(store: Store, repo: Repo, label: Label): void {
  repo.labels.delete(label.name.toLowerCase());
  for (const issue of repo.issues.all()) {
    if (!issue.labels.includes(label)) continue;
    issue.labels = issue.labels.filter((other) => other !== label);
    moved(store, issue);
  }
}
