import { JiraError } from './jira-error.ts';
import {
  type ChangeItem,
  type Comment,
  type Issue,
  issueKey,
  type Link,
  type LinkType,
  type Transition,
  type User,
} from './model.ts';
import type { Store } from './store.ts';

/** An event of an issue that is reported to webhooks. */
export type JiraEvent =
  | { type: 'jira:issue_created' | 'jira:issue_deleted'; user: User; issue: Issue }
  | { type: 'jira:issue_updated'; user: User; issue: Issue; items: ChangeItem[]; historyId: string }
  | {
      type: 'comment_created' | 'comment_updated' | 'comment_deleted';
      user: User;
      issue: Issue;
      comment: Comment;
    };

/** An edit of an issue. Missing fields remain unchanged. */
export interface IssueEdit {
  summary?: string;
  description?: unknown;
  labels?: string[];
  assignee?: User | null;
}

/**
 * Changes issues like Jira: adds history entries, updates the field `updated`, and notifies
 * webhooks.
 */
export class IssueChanges {
  readonly #store: Store;
  readonly #emit: (event: JiraEvent) => void;

  constructor(store: Store, tell: (event: JiraEvent) => void) {
    this.#store = store;
    this.#emit = tell;
  }

  created(issue: Issue, user: User): void {
    this.#emit({ type: 'jira:issue_created', user, issue });
  }

  edit(issue: Issue, user: User, edit: IssueEdit): void {
    const items: ChangeItem[] = [];
    if (edit.summary !== undefined && edit.summary !== issue.summary) {
      items.push(change('summary', null, issue.summary, null, edit.summary));
      issue.summary = edit.summary;
    }
    if (edit.description !== undefined && edit.description !== issue.description) {
      items.push(change('description', null, 'before', null, 'after'));
      issue.description = edit.description;
    }
    if (edit.labels !== undefined && edit.labels.join(' ') !== issue.labels.join(' ')) {
      items.push(change('labels', null, issue.labels.join(' '), null, edit.labels.join(' ')));
      issue.labels = edit.labels;
    }
    if (edit.assignee !== undefined && edit.assignee !== issue.assignee) {
      const [was, is] = [issue.assignee, edit.assignee];
      items.push(
        change(
          'assignee',
          was?.accountId ?? null,
          was?.displayName ?? null,
          is?.accountId ?? null,
          is?.displayName ?? null,
        ),
      );
      issue.assignee = edit.assignee;
    }
    if (items.length > 0) this.#note(issue, user, items);
  }

  transition(issue: Issue, user: User, transition: Transition, resolution: string | null): void {
    const { store, from } = { store: this.#store, from: issue.status };
    const { to } = transition;
    const items = [change('status', from.id, from.name, to.id, to.name)];
    issue.status = to;
    if (from.category !== to.category) issue.categoryChangedMs = store.now();
    const set =
      resolution ?? transition.sets ?? (to.category === 'done' ? (issue.resolution?.name ?? null) : null);
    if (set !== (issue.resolution?.name ?? null)) {
      const next = set === null ? null : store.resolution(set);
      items.push(
        change(
          'resolution',
          issue.resolution?.id ?? null,
          issue.resolution?.name ?? null,
          next?.id ?? null,
          next?.name ?? null,
        ),
      );
      issue.resolution = next;
      issue.resolvedMs = next === null ? null : store.now();
    }
    this.#note(issue, user, items);
  }

  comment(issue: Issue, user: User, body: unknown, properties: Record<string, unknown> = {}): Comment {
    const comment = this.#store.addComment(issue, { user: user.name, body, properties });
    issue.updatedMs = this.#store.now();
    this.#emit({ type: 'comment_created', user, issue, comment });
    return comment;
  }

  editComment(issue: Issue, user: User, comment: Comment, body: unknown): void {
    comment.body = body;
    comment.updatedMs = this.#store.now();
    issue.updatedMs = comment.updatedMs;
    this.#emit({ type: 'comment_updated', user, issue, comment });
  }

  deleteComment(issue: Issue, user: User, comment: Comment): void {
    issue.comments = issue.comments.filter((other) => other !== comment);
    issue.updatedMs = this.#store.now();
    this.#emit({ type: 'comment_deleted', user, issue, comment });
  }

  /** Adds a link. If it already exists, does nothing, without an error. */
  link(type: LinkType, source: Issue, target: Issue, user: User): void {
    if (source === target) throw new JiraError(400, ['You cannot link an issue to itself.']);
    const links = this.#store.linksOf(source);
    if (links.some((link) => link.type === type && link.source === source && link.target === target)) return;
    const link: Link = { id: this.#store.nextId(), type, source, target };
    this.#store.links.set(link.id, link);
    this.#note(source, user, [
      change('Link', null, null, issueKey(target), `This issue ${type.outward} ${issueKey(target)}`),
    ]);
    this.#note(target, user, [
      change('Link', null, null, issueKey(source), `This issue ${type.inward} ${issueKey(source)}`),
    ]);
  }

  unlink(link: Link, user: User): void {
    const { source, target, type } = link;
    this.#store.links.delete(link.id);
    this.#note(source, user, [
      change('Link', issueKey(target), `This issue ${type.outward} ${issueKey(target)}`, null, null),
    ]);
    this.#note(target, user, [
      change('Link', issueKey(source), `This issue ${type.inward} ${issueKey(source)}`, null, null),
    ]);
  }

  delete(issue: Issue, user: User): void {
    for (const link of this.#store.linksOf(issue)) this.#store.links.delete(link.id);
    this.#store.issues.delete(issue.id);
    this.#emit({ type: 'jira:issue_deleted', user, issue });
  }

  #note(issue: Issue, user: User, items: ChangeItem[]): void {
    const id = this.#store.nextId();
    issue.updatedMs = this.#store.now();
    issue.histories.push({ id, author: user, createdMs: issue.updatedMs, items });
    this.#emit({ type: 'jira:issue_updated', user, issue, items, historyId: id });
  }
}

function change(
  field: string,
  from: string | null,
  fromText: string | null,
  to: string | null,
  toText: string | null,
): ChangeItem {
  return { field, from, fromString: fromText, to, toString: toText };
}
