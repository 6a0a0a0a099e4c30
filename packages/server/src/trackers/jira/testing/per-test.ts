import type { JiraSeedIssue } from '@winnow/emulators/jira/seed';
import { afterEach } from 'vitest';
import type { IssueTarget, Page, ProviderIssue } from '../../provider.ts';
import { START } from '../../testing/emulated-clock.ts';
import { readToEnd } from '../../testing/provider-suite/context.ts';
import { type EmulatedJira, emulatedJira } from './emulated-jira.ts';

/**
 * Provides emulated Jiras and closes them after each test. Call it once at the top of a test file.
 */
export function startPerTest(): typeof emulatedJira {
  const open: EmulatedJira[] = [];
  afterEach(async () => {
    for (const jira of open.splice(0)) await jira.dispose();
  });
  return async (issues, options) => {
    const jira = await emulatedJira(issues, options);
    open.push(jira);
    return jira;
  };
}

/**
 * Returns `count` issues whose update times are one minute apart. The last issue was updated one
 * hour before `start`. Every tenth issue has a comment.
 */
export function backlog(count: number, start = START): JiraSeedIssue[] {
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(start.getTime() - 3_600_000 - (count - index) * 60_000).toISOString();
    const comments = index % 10 === 0 ? [{ user: 'bob', body: `comment on ${index + 1}`, created: at }] : [];
    return { summary: `issue ${index + 1}`, created: at, comments };
  });
}

/** Returns a signal that never aborts. */
export function never(): AbortSignal {
  return new AbortController().signal;
}

/** Returns the address of the issue with this key or id for provider calls. */
export function targetOf({ project, emulator }: EmulatedJira, idOrKey: string): IssueTarget {
  const { id, key } = emulator.issue(idOrKey);
  return { project, externalId: id, key };
}

/** Reads all issues of `WIN`, from a cursor or from the beginning. */
export function readIssues(
  { provider, project }: EmulatedJira,
  from: string | null = null,
): Promise<Page<ProviderIssue>[]> {
  return readToEnd((cursor) => provider.issues(project, cursor, never()), from);
}

export function itemsOf<T>(pages: Page<T>[]): T[] {
  return pages.flatMap(({ items }) => items);
}
