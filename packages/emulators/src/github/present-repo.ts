import { isoSeconds } from '../http/clock.ts';
import type { Access } from './access.ts';
import { fullName, type Repo } from './model.ts';
import { type Links, nodeId, presentSimpleUser } from './present-account.ts';

const plainLinks =
  'contributors deployments downloads events forks hooks languages merges stargazers subscribers subscription tags teams';
const templateLinks: Record<string, string> = {
  archive_url: '{archive_format}{/ref}',
  assignees_url: 'assignees{/user}',
  blobs_url: 'git/blobs{/sha}',
  branches_url: 'branches{/branch}',
  collaborators_url: 'collaborators{/collaborator}',
  comments_url: 'comments{/number}',
  commits_url: 'commits{/sha}',
  compare_url: 'compare/{base}...{head}',
  contents_url: 'contents/{+path}',
  git_commits_url: 'git/commits{/sha}',
  git_refs_url: 'git/refs{/sha}',
  git_tags_url: 'git/tags{/sha}',
  issue_comment_url: 'issues/comments{/number}',
  issue_events_url: 'issues/events{/number}',
  issues_url: 'issues{/number}',
  keys_url: 'keys{/key_id}',
  labels_url: 'labels{/name}',
  milestones_url: 'milestones{/number}',
  notifications_url: 'notifications{?since,all,participating}',
  pulls_url: 'pulls{/number}',
  releases_url: 'releases{/id}',
  statuses_url: 'statuses/{sha}',
  trees_url: 'git/trees{/sha}',
};

function repoLinks(url: string): Record<string, string> {
  const links: Record<string, string> = {};
  for (const name of plainLinks.split(' ')) links[`${name}_url`] = `${url}/${name}`;
  for (const [name, template] of Object.entries(templateLinks)) links[name] = `${url}/${template}`;
  return links;
}

/**
 * Returns the number of open issues and open pull requests. GitHub counts both in
 * `open_issues_count`.
 */
function openIssues(repo: Repo): number {
  let open = 0;
  for (const issue of repo.issues.all()) if (issue.state === 'open') open += 1;
  return open;
}

/**
 * Presents a repository in the short format of lists. `permissions` shows the role of the user. A
 * fine-grained token may have fewer permissions.
 */
export function presentRepo(repo: Repo, access: Access, links: Links) {
  const url = `${links.api}/repos/${fullName(repo)}`;
  const html = `${links.html}/${fullName(repo)}`;
  const open = openIssues(repo);
  return {
    id: repo.id,
    node_id: nodeId('R', repo.id),
    name: repo.name,
    full_name: fullName(repo),
    private: repo.isPrivate,
    owner: presentSimpleUser(repo.owner, links),
    html_url: html,
    description: repo.description,
    fork: false,
    url,
    ...repoLinks(url),
    git_url: `git:${html.slice(html.indexOf('//'))}.git`,
    ssh_url: `git@${new URL(links.html).hostname}:${fullName(repo)}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    homepage: null,
    mirror_url: null,
    language: null,
    license: null,
    topics: [],
    size: 0,
    default_branch: 'main',
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    open_issues: open,
    open_issues_count: open,
    has_issues: repo.hasIssues,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    has_discussions: false,
    archived: repo.archived,
    disabled: false,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    visibility: repo.isPrivate ? 'private' : 'public',
    created_at: isoSeconds(repo.createdMs),
    updated_at: isoSeconds(repo.updatedMs),
    pushed_at: isoSeconds(repo.createdMs),
    ...(access.account
      ? {
          permissions: {
            admin: access.hasRole(repo, 'admin'),
            maintain: access.hasRole(repo, 'admin'),
            push: access.hasRole(repo, 'write'),
            triage: access.hasRole(repo, 'triage'),
            pull: access.hasRole(repo, 'read'),
          },
        }
      : {}),
  };
}

/** Presents a repository in the full format of a request by name. */
export function presentFullRepo(repo: Repo, access: Access, links: Links) {
  return {
    ...presentRepo(repo, access, links),
    ...(repo.owner.kind === 'Organization' ? { organization: presentSimpleUser(repo.owner, links) } : {}),
    network_count: 0,
    subscribers_count: 0,
  };
}
