import { jiraTime } from './local-time.ts';
import {
  type Comment,
  type History,
  type Issue,
  issueKey,
  type Link,
  type Project,
  type Status,
  type User,
} from './model.ts';
import type { Store } from './store.ts';

/** Properties of a request that affect the contents of responses. */
export interface View {
  store: Store;
  /** URL of the API root, without a trailing slash. */
  api: string;
  /** Time zone of times in the response. */
  timeZone: string;
}

/** Maximum comments per issue in search results on Cloud. Data Center returns all comments. */
const commentsInSearch = 20;

export function presentUser(view: View, user: User) {
  const shared = {
    self: `${view.api}/user?accountId=${encodeURIComponent(user.accountId)}`,
    displayName: user.displayName,
    active: true,
    timeZone: user.timeZone,
    avatarUrls: {},
  };
  return view.store.isCloud
    ? { ...shared, accountId: user.accountId, accountType: 'atlassian' }
    : { ...shared, name: user.name, key: `JIRAUSER${user.name}`, emailAddress: user.email };
}

/** Presents a user in the format used inside issues and comments. */
function presentPerson(view: View, user: User | null) {
  return user === null ? null : presentUser(view, user);
}

const categories = {
  new: { id: 2, key: 'new', colorName: 'blue-gray', name: 'To Do' },
  indeterminate: { id: 4, key: 'indeterminate', colorName: 'yellow', name: 'In Progress' },
  done: { id: 3, key: 'done', colorName: 'green', name: 'Done' },
};

export function presentStatus(view: View, status: Status) {
  return {
    self: `${view.api}/status/${status.id}`,
    id: status.id,
    name: status.name,
    statusCategory: categories[status.category],
  };
}

export function presentProject(view: View, project: Project) {
  return {
    self: `${view.api}/project/${project.id}`,
    id: project.id,
    key: project.key,
    name: project.name,
    projectTypeKey: 'software',
    ...(view.store.isCloud ? { simplified: false, style: 'classic', isPrivate: false } : {}),
    ...(project.archived ? { archived: true } : {}),
  };
}

export function presentComment(view: View, issue: Issue, comment: Comment, withProperties: boolean) {
  const properties = [...comment.properties].map(([key, value]) => ({ key, value }));
  return {
    self: `${view.api}/issue/${issue.id}/comment/${comment.id}`,
    id: comment.id,
    author: presentPerson(view, comment.author),
    updateAuthor: presentPerson(view, comment.author),
    body: comment.body,
    created: jiraTime(comment.createdMs, view.timeZone),
    updated: jiraTime(comment.updatedMs, view.timeZone),
    ...(view.store.isCloud ? { jsdPublic: true } : {}),
    ...(withProperties ? { properties } : {}),
  };
}

export function presentLink(view: View, link: Link, issue: Issue) {
  const other = link.source === issue ? link.target : link.source;
  const end = {
    id: other.id,
    key: issueKey(other),
    self: `${view.api}/issue/${other.id}`,
    fields: {
      summary: other.summary,
      status: presentStatus(view, other.status),
      issuetype: { ...other.type },
    },
  };
  return {
    id: link.id,
    self: `${view.api}/issueLink/${link.id}`,
    type: { ...link.type, self: `${view.api}/issueLinkType/${link.type.id}` },
    ...(link.source === issue ? { outwardIssue: end } : { inwardIssue: end }),
  };
}

function fieldsOf(view: View, issue: Issue, isSearch: boolean): Record<string, unknown> {
  const { store, api, timeZone } = view;
  const time = (ms: number) => jiraTime(ms, timeZone);
  const shown = isSearch && store.isCloud ? issue.comments.slice(-commentsInSearch) : issue.comments;
  return {
    summary: issue.summary,
    description: issue.description,
    issuetype: { self: `${api}/issuetype/${issue.type.id}`, ...issue.type },
    project: presentProject(view, issue.project),
    status: presentStatus(view, issue.status),
    resolution: issue.resolution,
    resolutiondate: issue.resolvedMs === null ? null : time(issue.resolvedMs),
    ...(store.isCloud ? { statuscategorychangedate: time(issue.categoryChangedMs) } : {}),
    priority: { id: '3', name: issue.priority },
    labels: issue.labels,
    assignee: presentPerson(view, issue.assignee),
    reporter: presentPerson(view, issue.reporter),
    creator: presentPerson(view, issue.reporter),
    ...(issue.parent === null
      ? {}
      : { parent: { id: issue.parent.id, key: issueKey(issue.parent), fields: {} } }),
    issuelinks: store.linksOf(issue).map((link) => presentLink(view, link, issue)),
    comment: {
      comments: shown.map((comment) => presentComment(view, issue, comment, false)),
      maxResults: shown.length,
      total: issue.comments.length,
      startAt: 0,
      ...(store.isCloud ? { self: `${api}/issue/${issue.id}/comment` } : {}),
    },
    votes: { self: `${api}/issue/${issueKey(issue)}/votes`, votes: issue.votes, hasVoted: false },
    fixVersions: issue.fixVersions.map((name, at) => ({
      self: `${api}/version/${at + 1}`,
      id: String(at + 1),
      name,
      archived: false,
      released: false,
    })),
    created: time(issue.createdMs),
    updated: time(issue.updatedMs),
  };
}

/** Presents an issue. `fields` contains the names of the requested fields; null means all. */
export function presentIssue(
  view: View,
  issue: Issue,
  wanted: {
    fields: readonly string[] | null;
    properties: readonly string[];
    changelog: boolean;
    isSearch: boolean;
  },
) {
  const all = fieldsOf(view, issue, wanted.isSearch);
  const names = wanted.fields;
  const isAll = names === null || names.includes('*all') || names.includes('*navigable');
  const fields = Object.fromEntries(Object.entries(all).filter(([name]) => isAll || names.includes(name)));
  const properties = wanted.properties.flatMap((key) => {
    return issue.properties.has(key) ? [[key, issue.properties.get(key)] as const] : [];
  });
  return {
    id: issue.id,
    key: issueKey(issue),
    self: `${view.api}/issue/${issue.id}`,
    ...(isAll || Object.keys(fields).length > 0 ? { fields } : {}),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(wanted.changelog ? { changelog: presentChangelog(view, issue.histories) } : {}),
  };
}

/**
 * Presents the history of an issue. The newest entry is first on Cloud, and the oldest on Data
 * Center.
 */
function presentChangelog(view: View, histories: readonly History[]) {
  const listed = histories.map((history) => ({
    id: history.id,
    author: presentPerson(view, history.author),
    created: jiraTime(history.createdMs, view.timeZone),
    items: history.items.map((item) => ({ ...item, fieldtype: 'jira', fieldId: item.field })),
  }));
  if (!view.store.isCloud)
    for (const { items } of listed) for (const item of items) Reflect.deleteProperty(item, 'fieldId');
  return {
    startAt: 0,
    maxResults: listed.length,
    total: listed.length,
    histories: view.store.isCloud ? listed.toReversed() : listed,
  };
}
