import type { Account, Comment, Issue, IssueEvent, Label, Repo } from './model.ts';
import type { GitHubSeedIssue, GitHubStateReason } from './seed.ts';
import type { Store } from './store.ts';

/**
 * An edit of an issue. Missing fields remain unchanged. Labels and assignees replace all existing
 * ones.
 */
export interface IssueEdit {
  title?: string;
  body?: string | null;
  state?: 'open' | 'closed';
  /** Used only if the state changes. */
  stateReason?: GitHubStateReason | null;
  /** The original issue. Used only with the state reason `duplicate`. */
  duplicateOf?: Issue;
  labels?: string[];
  assignees?: string[];
  /** True to merge a pull request. Used only if it is closed. */
  merged?: boolean;
}

/** Sets `updated_at` to the current time, unless it is already later. */
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

/** Adds an issue, and notifies webhooks that it was opened. */
export function openIssue(store: Store, repo: Repo, seed: GitHubSeedIssue, defaultAuthor: string): Issue {
  const issue = store.addIssue(repo, seed, defaultAuthor);
  store.webhooks.issue(issue, 'opened', issue.user);
  return issue;
}

/**
 * Edits an issue as `actor` without checking permissions. Records the same events as GitHub, and
 * notifies webhooks.
 */
export function editIssue(store: Store, issue: Issue, actor: Account, edit: IssueEdit): void {
  const actions: string[] = [];
  const isRenamed = edit.title !== undefined && edit.title !== issue.title;
  if (edit.title !== undefined && isRenamed) {
    record(store, issue, actor, 'renamed', { rename: { from: issue.title, to: edit.title } });
    issue.title = edit.title;
  }
  const isRewritten = edit.body !== undefined && edit.body !== issue.body;
  if (edit.body !== undefined && isRewritten) issue.body = edit.body;
  if (isRenamed || isRewritten) actions.push('edited');
  if (edit.labels !== undefined) actions.push(...replaceLabels(store, issue, actor, edit.labels));
  if (edit.assignees !== undefined) actions.push(...replaceAssignees(store, issue, actor, edit.assignees));
  if (edit.state !== undefined && edit.state !== issue.state) {
    changeState(store, issue, actor, edit);
    actions.push(edit.state === 'closed' ? 'closed' : 'reopened');
  }
  if (actions.length > 0) moved(store, issue);
  for (const action of actions) store.webhooks.issue(issue, action, actor);
}

/** Records that an issue is blocked by another one. */
export function block(store: Store, issue: Issue, blocker: Issue, actor: Account): void {
  issue.blockedBy.push(blocker);
  blocker.blocking.push(issue);
  record(store, issue, actor, 'blocked_by_added');
  record(store, blocker, actor, 'blocking_added');
  moved(store, issue);
  moved(store, blocker);
}

export function unblock(store: Store, issue: Issue, blocker: Issue, actor: Account): void {
  issue.blockedBy = issue.blockedBy.filter((other) => other !== blocker);
  blocker.blocking = blocker.blocking.filter((other) => other !== issue);
  record(store, issue, actor, 'blocked_by_removed');
  record(store, blocker, actor, 'blocking_removed');
  moved(store, issue);
  moved(store, blocker);
}

/** Makes `part` a sub-issue of `parent`. */
export function addSubIssue(store: Store, parent: Issue, part: Issue, actor: Account): void {
  if (part.parent) removeSubIssue(store, part.parent, part, actor);
  part.parent = parent;
  parent.subIssues.push(part);
  record(store, parent, actor, 'sub_issue_added');
  record(store, part, actor, 'parent_issue_added');
  moved(store, parent);
  moved(store, part);
}

export function removeSubIssue(store: Store, parent: Issue, part: Issue, actor: Account): void {
  part.parent = null;
  parent.subIssues = parent.subIssues.filter((other) => other !== part);
  record(store, parent, actor, 'sub_issue_removed');
  record(store, part, actor, 'parent_issue_removed');
  moved(store, parent);
  moved(store, part);
}

function changeState(store: Store, issue: Issue, actor: Account, edit: IssueEdit): void {
  if (edit.state === 'closed') {
    issue.state = 'closed';
    issue.stateReason = issue.isPull ? null : (edit.stateReason ?? 'completed');
    issue.closedMs = store.now();
    issue.closedBy = actor;
    if (edit.merged === true && issue.isPull) {
      issue.mergedMs = store.now();
      record(store, issue, actor, 'merged');
    }
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

/** Replaces the labels of an issue. Returns one webhook action per added or removed label. */
function replaceLabels(store: Store, issue: Issue, actor: Account, names: string[]): string[] {
  const wanted = [...new Set(names.map((name) => store.label(issue.repo, name)))];
  const had = new Set(issue.labels);
  const added = wanted.filter((label) => !had.has(label));
  const keep = new Set(wanted);
  const removed = issue.labels.filter((label) => !keep.has(label));
  for (const label of removed) record(store, issue, actor, 'unlabeled', { label });
  for (const label of added) record(store, issue, actor, 'labeled', { label });
  issue.labels = wanted;
  return [...removed.map(() => 'unlabeled'), ...added.map(() => 'labeled')];
}

function replaceAssignees(store: Store, issue: Issue, actor: Account, logins: string[]): string[] {
  const wanted = [...new Set(logins.map((login) => store.account(login)))];
  const added = wanted.filter((person) => !issue.assignees.includes(person));
  const removed = issue.assignees.filter((person) => !wanted.includes(person));
  for (const assignee of removed) record(store, issue, actor, 'unassigned', { assignee });
  for (const assignee of added) record(store, issue, actor, 'assigned', { assignee });
  issue.assignees = wanted;
  return [...removed.map(() => 'unassigned'), ...added.map(() => 'assigned')];
}

/** Adds a comment and updates the `updated_at` of its issue. */
export function addComment(store: Store, issue: Issue, actor: Account, body: string): Comment {
  const comment = store.addComment(issue, actor, body, store.now());
  moved(store, issue);
  store.webhooks.comment(comment, 'created', actor);
  return comment;
}

export function editComment(store: Store, comment: Comment, actor: Account, body: string): void {
  comment.body = body;
  comment.updatedMs = Math.max(comment.updatedMs, store.now());
  comment.issue.repo.comments.touch();
  moved(store, comment.issue);
  store.webhooks.comment(comment, 'edited', actor);
}

export function deleteComment(store: Store, comment: Comment, actor: Account): void {
  const { issue } = comment;
  issue.comments = issue.comments.filter((other) => other !== comment);
  issue.repo.comments.remove(comment);
  store.commentsById.delete(comment.id);
  moved(store, issue);
  store.webhooks.comment(comment, 'deleted', actor);
}

/** Deletes an issue permanently. Requests for its number then get 410. */
export function deleteIssue(store: Store, issue: Issue, actor: Account): void {
  takeAway(store, issue);
  issue.repo.deletedNumbers.add(issue.number);
  store.webhooks.issue(issue, 'deleted', actor);
}

/**
 * Moves an issue and its comments to another repository, where it gets a new number. Requests for
 * its old number are then redirected.
 */
export function transferIssue(store: Store, issue: Issue, target: Repo, actor: Account): Issue {
  takeAway(store, issue);
  const moved = store.addIssue(
    target,
    {
      title: issue.title,
      body: issue.body,
      user: issue.user.login,
      created_at: new Date(issue.createdMs).toISOString(),
      updated_at: new Date(store.now()).toISOString(),
      comments: issue.comments.map(({ user, body, createdMs }) => {
        return { user: user.login, body, created_at: new Date(createdMs).toISOString() };
      }),
    },
    issue.user.login,
  );
  issue.repo.transferred.set(issue.number, moved);
  store.webhooks.issue(issue, 'transferred', actor);
  store.webhooks.issue(moved, 'opened', actor);
  return moved;
}

function takeAway(store: Store, issue: Issue): void {
  for (const comment of issue.comments) store.commentsById.delete(comment.id);
  for (const comment of issue.comments) issue.repo.comments.remove(comment);
  issue.repo.events = issue.repo.events.filter((event) => event.issue !== issue);
  issue.repo.issues.remove(issue);
  issue.repo.byNumber.delete(issue.number);
  store.issuesById.delete(issue.id);
  if (issue.parent) issue.parent.subIssues = issue.parent.subIssues.filter((one) => one !== issue);
  for (const part of issue.subIssues) part.parent = null;
  for (const other of issue.blockedBy) other.blocking = other.blocking.filter((one) => one !== issue);
  for (const other of issue.blocking) other.blockedBy = other.blockedBy.filter((one) => one !== issue);
}

/** Removes a label from its repository and from all issues. */
export function deleteLabel(store: Store, repo: Repo, label: Label): void {
  repo.labels.delete(label.name.toLowerCase());
  for (const issue of repo.issues.all()) {
    if (!issue.labels.includes(label)) continue;
    issue.labels = issue.labels.filter((other) => other !== label);
    moved(store, issue);
  }
}
