import { smallSeed } from './github/small-seed.ts';
import type { GitLabSeed, GitLabSeedItem } from './gitlab/seed.ts';
import type { JiraSeed } from './jira/seed.ts';

export const GITLAB_TOKEN = 'glpat-small_emulator_admin';
export const JIRA_TOKEN = 'small_emulator_admin';

const PEOPLE = (smallSeed.users ?? []).map(({ login }) => login);
const [OWNER = 'ada'] = PEOPLE;

/**
 * Returns the small backlog as a seed for the GitLab emulator. It has the same issues, in a group
 * of the same name.
 */
export function smallGitLab(): GitLabSeed {
  const owners = [...new Set(smallSeed.repos.map(({ owner }) => owner))];
  return {
    users: PEOPLE.map((username) => ({ username })),
    groups: owners.map((full_path) => ({ full_path, members: { [OWNER]: 'maintainer' } })),
    tokens: [{ token: GITLAB_TOKEN, username: OWNER }],
    projects: smallSeed.repos.map(({ owner, name, issues }) => {
      const items = (isPull: boolean) =>
        issues
          .filter(({ pull_request }) => (pull_request ?? false) === isPull)
          .map(
            (issue): GitLabSeedItem => ({
              title: issue.title,
              description: issue.body,
              state: issue.state === 'closed' ? 'closed' : 'opened',
              ...(issue.user === undefined ? {} : { author: issue.user }),
              ...(issue.labels === undefined ? {} : { labels: issue.labels }),
              ...(issue.created_at === undefined ? {} : { created_at: issue.created_at }),
              notes: (issue.comments ?? []).map(({ user, body, created_at }) => ({
                author: user,
                body,
                ...(created_at === undefined ? {} : { created_at }),
              })),
            }),
          );
      return { path_with_namespace: `${owner}/${name}`, issues: items(false), merge_requests: items(true) };
    }),
  };
}

/** Returns the small backlog as a seed for Jira Data Center. Each repository becomes a project. */
export function smallJira(): JiraSeed {
  return {
    users: PEOPLE.map((name) => ({ name, administrator: name === OWNER })),
    tokens: [{ token: JIRA_TOKEN, user: OWNER }],
    projects: smallSeed.repos.map(({ name, issues }) => ({
      key: name
        .replace(/[^a-z]/gi, '')
        .slice(0, 10)
        .toUpperCase(),
      name,
      issues: issues
        .filter(({ pull_request }) => pull_request !== true)
        .map((issue) => ({
          summary: issue.title,
          description: issue.body ?? '',
          ...(issue.state === 'closed' ? { status: 'Closed', resolution: 'Fixed' } : {}),
          ...(issue.user === undefined ? {} : { reporter: issue.user }),
          ...(issue.created_at === undefined ? {} : { created: issue.created_at }),
          comments: (issue.comments ?? []).map(({ user, body, created_at }) => ({
            user,
            body,
            ...(created_at === undefined ? {} : { created: created_at }),
          })),
        })),
    })),
  };
}
