import { expect, test } from 'vitest';
import { emulatedGitHub } from './github/testing/emulated-github.ts';
import { emulatedGitLab } from './gitlab/testing/emulated-gitlab.ts';
import { emulatedJira } from './jira/testing/emulated-jira.ts';
import type { ProviderIssue } from './provider.ts';

// Tests how each tracker's API responses become the fields that decide which issue of a cluster is
// canonical.

const fieldsOf = ({ title, reactions, milestone, isLocked, isCompleted }: ProviderIssue) => ({
  title,
  reactions,
  milestone,
  isLocked,
  isCompleted,
});
const PLAIN = { reactions: 0, milestone: null, isLocked: false, isCompleted: false };
const { signal } = new AbortController();

const issue = (title: string, more: object = {}) => ({ title, body: 'It stops.', ...more });

test('GitHub reports reactions, milestone, lock, and whether an issue was completed', async () => {
  const { provider, project, dispose } = await emulatedGitHub([
    issue('plain'),
    issue('wanted', { thumbs_up: 4, milestone: '2.0', locked: true }),
    issue('done', { state: 'closed' }),
    issue('refused', { state: 'closed', state_reason: 'not_planned' }),
  ]);
  const { items } = await provider.issues(project, null, signal);
  expect(items.map(fieldsOf)).toEqual(
    expect.arrayContaining([
      { ...PLAIN, title: 'plain' },
      { title: 'wanted', reactions: 4, milestone: '2.0', isLocked: true, isCompleted: false },
      { ...PLAIN, title: 'done', isCompleted: true },
      { ...PLAIN, title: 'refused' },
    ]),
  );
  await dispose();
});

test('GitLab reports upvotes, milestone and lock, but no reason for closing', async () => {
  const { provider, project, dispose } = await emulatedGitLab([
    { title: 'plain' },
    { title: 'wanted', upvotes: 4, milestone: '2.0', discussion_locked: true },
    { title: 'done', state: 'closed' },
  ]);
  const { items } = await provider.issues(project, null, signal);
  expect(items.map(fieldsOf)).toEqual(
    expect.arrayContaining([
      { ...PLAIN, title: 'plain' },
      { title: 'wanted', reactions: 4, milestone: '2.0', isLocked: true, isCompleted: false },
      { ...PLAIN, title: 'done' },
    ]),
  );
  await dispose();
});

test('Jira reports votes, the first version, and whether the resolution says that work was done', async () => {
  const { provider, project, dispose } = await emulatedJira([
    { summary: 'plain' },
    { summary: 'wanted', votes: 4, fixVersions: ['2.0', '2.1'] },
    { summary: 'done', status: 'Done', resolution: 'Done' },
  ]);
  const { items } = await provider.issues(project, null, signal);
  expect(items.map(fieldsOf)).toEqual(
    expect.arrayContaining([
      { ...PLAIN, title: 'plain' },
      { ...PLAIN, title: 'wanted', reactions: 4, milestone: '2.0' },
      { ...PLAIN, title: 'done', isCompleted: true },
    ]),
  );
  await dispose();
});
