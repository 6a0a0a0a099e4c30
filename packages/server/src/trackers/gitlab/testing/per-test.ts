import type { GitLabSeedIssue } from '@winnow/emulators/gitlab/seed';
import { afterEach } from 'vitest';
import type { IssueTarget, Page, ProviderIssue } from '../../provider.ts';
import { START } from '../../testing/emulated-clock.ts';
import { readToEnd } from '../../testing/provider-suite/context.ts';
import { type EmulatedGitLab, emulatedGitLab } from './emulated-gitlab.ts';

/**
 * Provides emulated GitLabs and closes them after each test. Call it once at the top of a test
 * file.
 */
export function startPerTest(): typeof emulatedGitLab {
  const open: EmulatedGitLab[] = [];
  afterEach(async () => {
    for (const gitlab of open.splice(0)) await gitlab.dispose();
  });
  return async (issues, options) => {
    const gitlab = await emulatedGitLab(issues, options);
    open.push(gitlab);
    return gitlab;
  };
}

/**
 * Returns `count` items whose update times are one minute apart. The last item was updated one hour
 * before the clock starts. Every tenth item has a comment.
 */
export function backlog(count: number, name = 'issue'): GitLabSeedIssue[] {
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(START.getTime() - 3_600_000 - (count - index) * 60_000).toISOString();
    const notes =
      index % 10 === 0
        ? [
            { author: 'bob', body: `comment on ${index + 1}`, created_at: at },
            { author: 'bob', body: 'changed the description', created_at: at, system: true },
          ]
        : [];
    return { title: `${name} ${index + 1}`, description: null, created_at: at, notes };
  });
}

/** Returns a signal that never aborts. */
export function never(): AbortSignal {
  return new AbortController().signal;
}

/**
 * Returns the address of an item in `acme/team/app` for provider calls. `12` is an issue, `!12` a
 * merge request.
 */
export function targetOf({ project }: EmulatedGitLab, id: string | number): IssueTarget {
  const externalId = String(id);
  const sign = externalId.startsWith('!') ? '' : '#';
  return { project, externalId, key: `${project.identifier}${sign}${externalId}` };
}

/** Reads all items of `acme/team/app`, from a cursor or from the beginning. */
export function readIssues(
  { provider, project }: EmulatedGitLab,
  from: string | null = null,
): Promise<Page<ProviderIssue>[]> {
  return readToEnd((cursor) => provider.issues(project, cursor, never()), from);
}

export function itemsOf<T>(pages: Page<T>[]): T[] {
  return pages.flatMap(({ items }) => items);
}
