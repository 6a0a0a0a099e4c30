import type { GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { afterEach } from 'vitest';
import type { IssueTarget, Page, ProviderIssue } from '../../provider.ts';
import { START } from '../../testing/emulated-clock.ts';
import { readToEnd } from '../../testing/provider-suite/context.ts';
import { type EmulatedGitHub, emulatedGitHub } from './emulated-github.ts';

/**
 * Provides emulated GitHubs and closes them after each test. Call it once at the top of a test
 * file.
 */
export function startPerTest(): typeof emulatedGitHub {
  const open: EmulatedGitHub[] = [];
  afterEach(async () => {
    for (const github of open.splice(0)) await github.dispose();
  });
  return async (issues, options) => {
    const github = await emulatedGitHub(issues, options);
    open.push(github);
    return github;
  };
}

/**
 * Returns `count` issues whose update times are one minute apart. The last issue was updated one
 * hour before the clock starts. Every tenth issue has a comment.
 */
export function backlog(count: number): GitHubSeedIssue[] {
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(START.getTime() - 3_600_000 - (count - index) * 60_000).toISOString();
    const comments =
      index % 10 === 0 ? [{ user: 'bob', body: `comment on ${index + 1}`, created_at: at }] : [];
    return { title: `issue ${index + 1}`, body: null, created_at: at, comments };
  });
}

/** Returns a signal that never aborts. */
export function never(): AbortSignal {
  return new AbortController().signal;
}

/** Returns the address of an issue in `acme/app` for provider calls. */
export function targetOf({ project }: EmulatedGitHub, number: number): IssueTarget {
  return { project, externalId: String(number), key: `${project.identifier}#${number}` };
}

/** Reads all issues of `acme/app`, from a cursor or from the beginning. */
export function readIssues(
  { provider, project }: EmulatedGitHub,
  from: string | null = null,
): Promise<Page<ProviderIssue>[]> {
  return readToEnd((cursor) => provider.issues(project, cursor, never()), from);
}

export function itemsOf<T>(pages: Page<T>[]): T[] {
  return pages.flatMap(({ items }) => items);
}
