import { tracker } from '@winnow/contract/tracker';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { whenCompared } from '@winnow/tools/browser/account.ts';
import { connectAcme } from '../fixtures/github.ts';
import { signedIn } from '../fixtures/test.ts';

/** Oldest first, so that the third is `acme/app#3`. */
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

/** Issues that nobody waits for, newer than the others: a page of them. */
const NEWER = Array.from({ length: 10 }, (_, index) => ({
  title: `Wish ${index + 1}`,
  body: `Something else, number ${index + 1}.`,
}));

/** Three that wait for one another, and one more. */
const CIRCLE = [
  { title: 'The hen', body: 'Blocked by #9.' },
  { title: 'The egg', body: 'Blocked by #7.' },
  { title: 'The nest', body: 'Blocked by #8.' },
  // What makes the chain of the others longer than the circle.
  { title: 'Monthly report', body: 'Depends on #3.' },
];

export type Backlog = {
  github: GitHubEmulator;
  token: string;
  /** The issue that GitHub has under this number. */
  issue: (number: number) => ReturnType<GitHubEmulator['issue']>;
  /** Begins to read GitHub again. */
  syncAgain: () => Promise<unknown>;
};

const at = <T extends object>(issues: readonly T[]) =>
  issues.map((issue, index) => ({
    ...issue,
    created_at: `2025-03-01T${String(index).padStart(2, '0')}:00:00Z`,
  }));

/** The browser of somebody whose GitHub has issues that depend on each other. */
export const withDependencies = signedIn.extend<{
  backlog: Backlog;
  /** With a circle of three, and with a page of issues that nobody waits for. */
  seeded: { circle: boolean; newer: boolean };
}>({
  seeded: [{ circle: false, newer: false }, { option: true }],
  backlog: async ({ account, seeded }, use) => {
    const issues = at([...ISSUES, ...(seeded.circle ? CIRCLE : []), ...(seeded.newer ? NEWER : [])]);
    const { emulator: github, id, token } = await connectAcme(account, { app: issues });
    // Only looking for the nearest issues needs them compared.
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
