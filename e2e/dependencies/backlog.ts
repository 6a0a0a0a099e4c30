import { tracker } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { whenCompared } from '@winnow/tools/browser/account.ts';
import { connectAcme } from '../fixtures/github.ts';
import { signedIn } from '../fixtures/test.ts';

/** Issues with dependencies, oldest first. The third one is `acme/app#3`. */
const ISSUES = [
  { title: 'Store receipts on the server', body: 'The till keeps them for a day only.' },
  {
    title: 'Search in old receipts',
    body: 'Blocked by #1. Customers ask for receipts of last year.',
  },
  { title: 'Export receipts for the accountant', body: 'Depends on #2.' },
  { title: 'Dark theme', body: 'Labels cannot be read at night.' },
  { title: 'Rules of retention', body: 'Our lawyers have listed them.', state: 'closed' as const },
  { title: 'Delete old receipts', body: 'Blocked by #5.' },
];

/** A page of newer issues, which block no other issue. */
const NEWER = Array.from({ length: 10 }, (_, index) => ({
  title: `Wish ${index + 1}`,
  body: `Something else, number ${index + 1}.`,
}));

/** Three issues that block each other in a cycle, and one more issue. */
const CYCLE = [
  { title: 'The hen', body: 'Blocked by #9.' },
  { title: 'The egg', body: 'Blocked by #7.' },
  { title: 'The nest', body: 'Blocked by #8.' },
  // This issue makes the dependency chain of the first issues longer than the cycle.
  { title: 'Monthly report', body: 'Depends on #3.' },
];

export type Backlog = {
  github: GitHubEmulator;
  token: string;
  /** Returns the issue with this number as stored on GitHub. */
  issue: (number: number) => ReturnType<GitHubEmulator['issue']>;
  /** Starts another sync with GitHub. */
  syncAgain: () => Promise<unknown>;
};

const at = <T extends object>(issues: readonly T[]) =>
  issues.map((issue, index) => ({
    ...issue,
    created_at: `2025-03-01T${String(index).padStart(2, '0')}:00:00Z`,
  }));

/** The browser of a user who has connected a GitHub with issues that depend on each other. */
export const withDependencies = signedIn.extend<{
  backlog: Backlog;
  /**
   * Additional issues: a cycle of three issues that block each other, and a page of newer issues
   * that block no other issue.
   */
  seeded: { cycle: boolean; newer: boolean };
}>({
  seeded: [{ cycle: false, newer: false }, { option: true }],
  backlog: async ({ account, seeded }, use) => {
    const issues = at([...ISSUES, ...(seeded.cycle ? CYCLE : []), ...(seeded.newer ? NEWER : [])]);
    const { emulator: github, id, token } = await connectAcme(account, { app: issues });
    // Waits for vectors, which only the search for the nearest issues requires.
    if (seeded.newer) await whenCompared(account);
    await use({
      github,
      token,
      issue: (number) => github.issue('acme', 'app', number),
      syncAgain: () => account.api.send('POST', `/trackers/${id}/sync`, undefined, tracker),
    });
    await github.close();
  },
});
