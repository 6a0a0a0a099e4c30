import { levelInProject } from './access.ts';
import {
  fullPath,
  fullReference,
  type Hook,
  type IssueLink,
  type Item,
  type Namespace,
  type Note,
  type Project,
  shortReference,
  type User,
} from './model.ts';

/** Formats a time like GitLab's API: in UTC with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Properties of a request that affect the contents of responses. */
export interface View {
  /** Origin of the emulated host, without a trailing slash. */
  origin: string;
  viewer: User | null;
  reportsDuplicates: boolean;
  canRead: (item: Item) => boolean;
}

export function presentUser(origin: string, user: User) {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: 'active',
    avatar_url: `${origin}/uploads/-/system/user/avatar/${user.id}/avatar.png`,
    web_url: `${origin}/${user.username}`,
  };
}

/** Presents the caller in the format of `GET /user`. */
export function presentCurrentUser(origin: string, user: User, nowMs: number) {
  return {
    ...presentUser(origin, user),
    email: `${user.username}@example.com`,
    created_at: isoTime(nowMs),
    bio: '',
    location: null,
    skype: '',
    linkedin: '',
    twitter: '',
    website_url: '',
    organization: null,
    last_sign_in_at: null,
    confirmed_at: isoTime(nowMs),
    color_scheme_id: 1,
    projects_limit: 100_000,
    current_sign_in_at: null,
    identities: [],
    can_create_group: true,
    can_create_project: true,
    two_factor_enabled: false,
    external: false,
    bot: false,
  };
}

export function presentGroup(origin: string, group: Namespace) {
  return {
    id: group.id,
    web_url: `${origin}/groups/${group.fullPath}`,
    name: group.name,
    path: group.path,
    description: '',
    visibility: group.visibility,
    avatar_url: null,
    full_name: group.fullName,
    full_path: group.fullPath,
    parent_id: group.parent?.id ?? null,
  };
}

/** Presents a project in the format of `simple=true`. */
export function presentSimpleProject(origin: string, project: Project) {
  const { namespace } = project;
  const webUrl = `${origin}/${fullPath(project)}`;
  return {
    id: project.id,
    description: null,
    name: project.name,
    name_with_namespace: `${namespace.fullName} / ${project.name}`,
    path: project.path,
    path_with_namespace: fullPath(project),
    created_at: isoTime(project.createdMs),
    default_branch: 'main',
    tag_list: [],
    ssh_url_to_repo: `git@example.com:${fullPath(project)}.git`,
    http_url_to_repo: `${webUrl}.git`,
    web_url: webUrl,
    readme_url: null,
    avatar_url: null,
    star_count: 0,
    forks_count: 0,
    last_activity_at: isoTime(project.createdMs),
    namespace: {
      id: namespace.id,
      name: namespace.name,
      path: namespace.path,
      kind: namespace.kind,
      full_path: namespace.fullPath,
      parent_id: namespace.parent?.id ?? null,
    },
  };
}

export function presentProject({ origin, viewer }: View, project: Project) {
  const level = levelInProject(viewer, project);
  const access = (enabled: boolean) => (enabled ? 'enabled' : 'disabled');
  return {
    ...presentSimpleProject(origin, project),
    visibility: project.visibility,
    archived: project.archived,
    issues_enabled: project.issuesEnabled,
    issues_access_level: access(project.issuesEnabled),
    merge_requests_enabled: project.mergeRequestsEnabled,
    merge_requests_access_level: access(project.mergeRequestsEnabled),
    permissions: {
      project_access: level === 0 ? null : { access_level: level, notification_level: 3 },
      group_access: null,
    },
  };
}

/** Presents the milestone of an item. Milestones of a project are identified by their titles. */
function presentMilestone({ project }: Item, title: string, origin: string) {
  const titles = new Set(project.items.flatMap(({ milestone }) => milestone ?? []));
  const iid = [...titles].indexOf(title) + 1;
  return {
    id: project.id * 1_000 + iid,
    iid,
    project_id: project.id,
    title,
    description: null,
    state: 'active',
    created_at: isoTime(project.createdMs),
    updated_at: isoTime(project.createdMs),
    due_date: null,
    start_date: null,
    expired: false,
    web_url: `${origin}/${fullPath(project)}/-/milestones/${iid}`,
  };
}

function presentShared(view: View, item: Item) {
  const { origin } = view;
  const assignees = item.assignees.map((user) => presentUser(origin, user));
  return {
    id: item.id,
    iid: item.iid,
    project_id: item.project.id,
    title: item.title,
    description: item.description,
    state: item.state,
    created_at: isoTime(item.createdMs),
    updated_at: isoTime(item.updatedMs),
    closed_at: item.closedMs === null || item.state === 'merged' ? null : isoTime(item.closedMs),
    closed_by: item.closedBy === null ? null : presentUser(origin, item.closedBy),
    labels: item.labels,
    milestone: item.milestone === null ? null : presentMilestone(item, item.milestone, origin),
    author: presentUser(origin, item.author),
    assignees,
    assignee: assignees[0] ?? null,
    user_notes_count: item.notes.filter(({ system }) => !system).length,
    upvotes: item.upvotes,
    downvotes: 0,
    discussion_locked: item.discussionLocked || null,
    references: {
      short: shortReference(item),
      relative: shortReference(item),
      full: fullReference(item),
    },
    time_stats: {
      time_estimate: 0,
      total_time_spent: 0,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
  };
}

function issueUrl(view: View, item: Item): string {
  return `${view.origin}/api/v4/projects/${item.project.id}/issues/${item.iid}`;
}

export function presentIssue(view: View, item: Item) {
  const original = item.duplicatedTo;
  const url = issueUrl(view, item);
  return {
    ...presentShared(view, item),
    type: item.issueType.toUpperCase(),
    issue_type: item.issueType,
    confidential: item.confidential,
    due_date: null,
    severity: 'UNKNOWN',
    moved_to_id: item.movedTo?.id ?? null,
    web_url: `${view.origin}/${fullPath(item.project)}/-/issues/${item.iid}`,
    _links: {
      self: url,
      notes: `${url}/notes`,
      project: `${view.origin}/api/v4/projects/${item.project.id}`,
      ...(view.reportsDuplicates
        ? {
            closed_as_duplicate_of:
              original !== null && view.canRead(original) ? issueUrl(view, original) : null,
          }
        : {}),
    },
  };
}

export function presentMergeRequest(view: View, item: Item) {
  const isMerged = item.state === 'merged';
  const by = item.closedBy === null ? null : presentUser(view.origin, item.closedBy);
  return {
    ...presentShared(view, item),
    closed_by: isMerged ? null : by,
    merged_by: isMerged ? by : null,
    merge_user: isMerged ? by : null,
    merged_at: isMerged && item.closedMs !== null ? isoTime(item.closedMs) : null,
    target_branch: 'main',
    source_branch: `branch-${item.iid}`,
    reviewers: [],
    source_project_id: item.project.id,
    target_project_id: item.project.id,
    draft: false,
    work_in_progress: false,
    merge_when_pipeline_succeeds: false,
    merge_status: 'can_be_merged',
    sha: '8888888888888888888888888888888888888888',
    merge_commit_sha: null,
    should_remove_source_branch: null,
    force_remove_source_branch: null,
    squash: false,
    web_url: `${view.origin}/${fullPath(item.project)}/-/merge_requests/${item.iid}`,
  };
}

/** Presents a merge request in the format of `view=simple`. */
export function presentSimpleMergeRequest(view: View, item: Item) {
  const { id, iid, project_id, title, description, state, created_at, updated_at, web_url } =
    presentMergeRequest(view, item);
  return { id, iid, project_id, title, description, state, created_at, updated_at, web_url };
}

export function presentItem(view: View, item: Item) {
  return item.kind === 'issue' ? presentIssue(view, item) : presentMergeRequest(view, item);
}

export function presentNote(origin: string, note: Note) {
  return {
    id: note.id,
    type: null,
    body: note.body,
    attachment: null,
    author: presentUser(origin, note.author),
    created_at: isoTime(note.createdMs),
    updated_at: isoTime(note.updatedMs),
    system: note.system,
    noteable_id: note.item.id,
    noteable_type: note.item.kind === 'issue' ? 'Issue' : 'MergeRequest',
    noteable_iid: note.item.iid,
    resolvable: false,
    confidential: note.internal,
    internal: note.internal,
    commands_changes: {},
  };
}

/** Returns the type of a link as shown in the links of `item`. */
export function linkTypeFrom(link: IssueLink, item: Item): 'relates_to' | 'blocks' | 'is_blocked_by' {
  if (link.type === 'relates_to') return 'relates_to';
  return link.source === item ? 'blocks' : 'is_blocked_by';
}

export function otherEnd(link: IssueLink, item: Item): Item {
  return link.source === item ? link.target : link.source;
}

/** Presents the other issue of a link, in the format of the list of links. */
export function presentRelated(view: View, link: IssueLink, item: Item) {
  return {
    ...presentIssue(view, otherEnd(link, item)),
    issue_link_id: link.id,
    link_type: linkTypeFrom(link, item),
    link_created_at: isoTime(link.createdMs),
    link_updated_at: isoTime(link.createdMs),
  };
}

export function presentLink(view: View, link: IssueLink, from: Item) {
  return {
    id: link.id,
    source_issue: presentIssue(view, link.source),
    target_issue: presentIssue(view, link.target),
    link_type: linkTypeFrom(link, from),
    link_created_at: isoTime(link.createdMs),
    link_updated_at: isoTime(link.createdMs),
  };
}

/** Presents a webhook without its secret token. */
export function presentHook(project: Project, hook: Hook) {
  const flags = hookFlags.map((flag) => [flag, hook.events.has(flag)] as const);
  return {
    id: hook.id,
    url: hook.url,
    name: null,
    description: null,
    project_id: project.id,
    enable_ssl_verification: true,
    alert_status: 'executable',
    disabled_until: null,
    url_variables: [],
    created_at: isoTime(hook.createdMs),
    ...Object.fromEntries(flags),
  };
}

/** Flags of a webhook. Each enables one type of event. */
export const hookFlags = [
  'push_events',
  'issues_events',
  'confidential_issues_events',
  'merge_requests_events',
  'note_events',
  'confidential_note_events',
] as const;
