import { fullPath, type Item, type Note, type Project, type User } from './model.ts';

/** Action in the webhook payload of an issue or a merge request. */
export type ItemAction = 'open' | 'close' | 'reopen' | 'update' | 'merge';

/** Formats a time like GitLab in webhook payloads. */
function hookTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function user(origin: string, { id, name, username }: User) {
  return { id, name, username, avatar_url: `${origin}/avatar/${id}`, email: '[REDACTED]' };
}

function project(origin: string, entry: Project) {
  const webUrl = `${origin}/${fullPath(entry)}`;
  return {
    id: entry.id,
    name: entry.name,
    description: null,
    web_url: webUrl,
    avatar_url: null,
    git_http_url: `${webUrl}.git`,
    namespace: entry.namespace.name,
    visibility_level: entry.visibility === 'public' ? 20 : 0,
    path_with_namespace: fullPath(entry),
    default_branch: 'main',
    homepage: webUrl,
  };
}

function attributes(origin: string, item: Item) {
  const part = item.kind === 'issue' ? 'issues' : 'merge_requests';
  return {
    id: item.id,
    iid: item.iid,
    title: item.title,
    description: item.description,
    author_id: item.author.id,
    assignee_ids: item.assignees.map(({ id }) => id),
    project_id: item.project.id,
    created_at: hookTime(item.createdMs),
    updated_at: hookTime(item.updatedMs),
    state: item.state,
    url: `${origin}/${fullPath(item.project)}/-/${part}/${item.iid}`,
    ...(item.kind === 'issue'
      ? {
          confidential: item.confidential,
          moved_to_id: item.movedTo?.id ?? null,
          duplicated_to_id: item.duplicatedTo?.id ?? null,
          type: 'Issue',
        }
      : { source_branch: `branch-${item.iid}`, target_branch: 'main', target_project_id: item.project.id }),
  };
}

export function itemPayload(origin: string, item: Item, actor: User, action: ItemAction) {
  const kind = item.kind;
  return {
    object_kind: kind,
    event_type: item.confidential ? 'confidential_issue' : kind,
    user: user(origin, actor),
    project: project(origin, item.project),
    object_attributes: { ...attributes(origin, item), action },
    labels: item.labels.map((title) => ({ title, type: 'ProjectLabel' })),
    changes: {},
    assignees: item.assignees.map((entry) => user(origin, entry)),
  };
}

export function notePayload(origin: string, note: Note, action: 'create' | 'update') {
  const { item } = note;
  return {
    object_kind: 'note',
    event_type: item.confidential || note.internal ? 'confidential_note' : 'note',
    user: user(origin, note.author),
    project_id: item.project.id,
    project: project(origin, item.project),
    object_attributes: {
      id: note.id,
      note: note.body,
      noteable_type: item.kind === 'issue' ? 'Issue' : 'MergeRequest',
      author_id: note.author.id,
      created_at: hookTime(note.createdMs),
      updated_at: hookTime(note.updatedMs),
      project_id: item.project.id,
      noteable_id: item.id,
      system: note.system,
      internal: note.internal,
      action,
      url: `${attributes(origin, item).url}#note_${note.id}`,
    },
    [item.kind]: attributes(origin, item),
  };
}

export interface PushedCommit {
  id: string;
  message: string;
  timestamp: string;
}

export function pushPayload(
  origin: string,
  entry: Project,
  actor: User,
  branch: string,
  commits: readonly PushedCommit[],
) {
  const webUrl = `${origin}/${fullPath(entry)}`;
  return {
    object_kind: 'push',
    event_name: 'push',
    before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
    after: commits.at(-1)?.id ?? '0000000000000000000000000000000000000000',
    ref: `refs/heads/${branch}`,
    user_id: actor.id,
    user_name: actor.name,
    user_username: actor.username,
    project_id: entry.id,
    project: project(origin, entry),
    commits: commits.map((commit) => ({
      ...commit,
      title: commit.message.split('\n')[0],
      url: `${webUrl}/-/commit/${commit.id}`,
      author: { name: actor.name, email: '[REDACTED]' },
    })),
    total_commits_count: commits.length,
  };
}
