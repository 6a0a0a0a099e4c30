import { isoSeconds } from '../http/clock.ts';
import {
  type Account,
  type Comment,
  fullName,
  type Issue,
  type IssueEvent,
  type Label,
  type Repo,
} from './model.ts';
import { type Links, nodeId, presentSimpleUser } from './present-account.ts';

type SimpleUser = ReturnType<typeof presentSimpleUser>;

const associations = { owner: 'OWNER', member: 'MEMBER', none: 'NONE' } as const;

function association(person: Account, repo: Repo): string {
  if (person === repo.owner) return associations.owner;
  return repo.owner.members.has(person.login.toLowerCase()) ? associations.member : associations.none;
}

function reactions(url: string, thumbsUp: number) {
  return {
    url: `${url}/reactions`,
    total_count: thumbsUp,
    '+1': thumbsUp,
    '-1': 0,
    laugh: 0,
    hooray: 0,
    confused: 0,
    heart: 0,
    rocket: 0,
    eyes: 0,
  };
}

/** Presents a label of a repository. */
export function presentLabel(label: Label, repo: Repo, links: Links) {
  return {
    id: label.id,
    node_id: nodeId('LA', label.id),
    url: `${links.api}/repos/${fullName(repo)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  };
}

/**
 * Presents an issue, or a pull request in the format of an issue. `withAssignee` is false if the
 * API version has no field `assignee`.
 */
export function presentIssue(issue: Issue, links: Links, withAssignee: boolean) {
  const { repo } = issue;
  const repoUrl = `${links.api}/repos/${fullName(repo)}`;
  const url = `${repoUrl}/issues/${issue.number}`;
  const html = `${links.html}/${fullName(repo)}/${issue.isPull ? 'pull' : 'issues'}/${issue.number}`;
  const assignees: SimpleUser[] = issue.assignees.map((person) => presentSimpleUser(person, links));
  return {
    url,
    repository_url: repoUrl,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: html,
    id: issue.id,
    node_id: nodeId(issue.isPull ? 'PR' : 'I', issue.id),
    number: issue.number,
    title: issue.title,
    user: presentSimpleUser(issue.user, links),
    labels: issue.labels.map((label) => presentLabel(label, repo, links)),
    state: issue.state,
    locked: issue.locked,
    ...(withAssignee ? { assignee: assignees[0] ?? null } : {}),
    assignees,
    milestone: issue.milestone === null ? null : presentMilestone(issue, issue.milestone, links),
    comments: issue.comments.length,
    created_at: isoSeconds(issue.createdMs),
    updated_at: isoSeconds(issue.updatedMs),
    closed_at: issue.closedMs === null ? null : isoSeconds(issue.closedMs),
    author_association: association(issue.user, repo),
    active_lock_reason: null,
    ...(issue.isPull ? { draft: false, pull_request: pullLinks(issue, links) } : issueOnly(issue, links)),
    body: issue.body,
    closed_by: issue.closedBy ? presentSimpleUser(issue.closedBy, links) : null,
    reactions: reactions(url, issue.thumbsUp),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: issue.stateReason,
  };
}

/**
 * Presents the milestone of an issue. Milestones of a repository are identified by their titles.
 */
function presentMilestone({ repo }: Issue, title: string, links: Links) {
  const issues = [...repo.byNumber.values()];
  const number = [...new Set(issues.flatMap(({ milestone }) => milestone ?? []))].indexOf(title) + 1;
  const planned = issues.filter(({ milestone }) => milestone === title);
  const url = `${links.api}/repos/${fullName(repo)}/milestones/${number}`;
  return {
    url,
    html_url: `${links.html}/${fullName(repo)}/milestone/${number}`,
    labels_url: `${url}/labels`,
    id: repo.id * 1_000 + number,
    node_id: nodeId('MI', number),
    number,
    title,
    description: null,
    creator: null,
    open_issues: planned.filter(({ state }) => state === 'open').length,
    closed_issues: planned.filter(({ state }) => state === 'closed').length,
    state: 'open',
    created_at: isoSeconds(repo.createdMs),
    updated_at: isoSeconds(repo.createdMs),
    due_on: null,
    closed_at: null,
  };
}

function issueOnly({ blockedBy, blocking, parent, subIssues }: Issue, links: Links) {
  const completed = subIssues.filter(({ state }) => state === 'closed').length;
  const open = (issues: readonly Issue[]) => issues.filter(({ state }) => state === 'open').length;
  return {
    ...(parent
      ? { parent_issue_url: `${links.api}/repos/${fullName(parent.repo)}/issues/${parent.number}` }
      : {}),
    sub_issues_summary: {
      total: subIssues.length,
      completed,
      percent_completed: subIssues.length === 0 ? 0 : Math.floor((completed / subIssues.length) * 100),
    },
    issue_dependencies_summary: {
      blocked_by: open(blockedBy),
      total_blocked_by: blockedBy.length,
      blocking: open(blocking),
      total_blocking: blocking.length,
    },
  };
}

/** Returns the links that show that an entry of an issue list is a pull request. */
export function pullLinks(issue: Issue, links: Links) {
  const html = `${links.html}/${fullName(issue.repo)}/pull/${issue.number}`;
  return {
    url: `${links.api}/repos/${fullName(issue.repo)}/pulls/${issue.number}`,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    merged_at: issue.mergedMs === null ? null : isoSeconds(issue.mergedMs),
  };
}

export function presentComment(comment: Comment, links: Links) {
  const { issue } = comment;
  const repoUrl = `${links.api}/repos/${fullName(issue.repo)}`;
  const url = `${repoUrl}/issues/comments/${comment.id}`;
  const place = `${fullName(issue.repo)}/${issue.isPull ? 'pull' : 'issues'}/${issue.number}`;
  return {
    url,
    html_url: `${links.html}/${place}#issuecomment-${comment.id}`,
    issue_url: `${repoUrl}/issues/${issue.number}`,
    id: comment.id,
    node_id: nodeId('IC', comment.id),
    user: presentSimpleUser(comment.user, links),
    created_at: isoSeconds(comment.createdMs),
    updated_at: isoSeconds(comment.updatedMs),
    body: comment.body,
    author_association: association(comment.user, issue.repo),
    reactions: reactions(url, 0),
    performed_via_github_app: null,
  };
}

/** Presents an event of an issue, without the issue. */
export function presentEvent(event: IssueEvent, links: Links) {
  const { label, assignee, rename, state_reason } = event.detail;
  return {
    id: event.id,
    node_id: nodeId('EVT', event.id),
    url: `${links.api}/repos/${fullName(event.issue.repo)}/issues/events/${event.id}`,
    actor: presentSimpleUser(event.actor, links),
    event: event.event,
    commit_id: null,
    commit_url: null,
    created_at: isoSeconds(event.createdMs),
    ...(label ? { label: { name: label.name, color: label.color } } : {}),
    ...(assignee
      ? { assignee: presentSimpleUser(assignee, links), assigner: presentSimpleUser(event.actor, links) }
      : {}),
    ...(rename ? { rename } : {}),
    ...(state_reason === undefined ? {} : { state_reason }),
    performed_via_github_app: null,
  };
}
