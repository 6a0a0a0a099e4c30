import { expect, test } from 'vitest';
import { undoSteps } from '../changes/plan.ts';
import {
  planClose,
  planDeconflict,
  planMerge,
  planUnrelated,
  type ResolvableIssue,
  rootOf,
} from './plan-resolution.ts';

function issue(number: number, values: Partial<ResolvableIssue> = {}): ResolvableIssue {
  return {
    id: `id-${number}`,
    key: `acme/web#${number}`,
    title: `Issue ${number}`,
    description: `What happens in ${number}.`,
    url: `https://github.example/acme/web/issues/${number}`,
    state: 'opened',
    trackerId: 'github',
    trackerLabel: 'Acme (GitHub)',
    contentHash: `hash-${number}`,
    isDuplicate: false,
    duplicateOf: null,
    ...values,
  };
}

function followIn(issues: ResolvableIssue[]) {
  return async (key: string) => issues.find((candidate) => candidate.key === key) ?? null;
}

test('refuses to close an issue that is already closed', () => {
  const closed = issue(2, { state: 'closed' });
  expect(() => planClose(closed, issue(1), issue(1))).toThrow(/already closed/);
});

test('refuses to close an issue as a duplicate of itself if two trackers read it', () => {
  const again = issue(1, { id: 'id-1-again', trackerId: 'other' });
  expect(() => planClose(issue(1), again, again)).toThrow(/both are the same issue/);
});

const commentsTowards = (original: ResolvableIssue) =>
  planClose(issue(2), original, original).steps.flatMap(({ after }) => after.comment ?? []);

test('mentions an issue of another tracker by link, even if its key is the same', () => {
  const url = 'https://other.example/acme/web/issues/2';
  const elsewhere = issue(2, { id: 'elsewhere', trackerId: 'other', url });
  expect(commentsTowards(elsewhere)).toEqual([
    `Closing as a duplicate of [acme/web#2 on other.example](${url}).`,
    '[acme/web#2 on github.example](https://github.example/acme/web/issues/2) reports the same problem and was closed as a duplicate of this issue.',
  ]);
  expect(planClose(issue(2), elsewhere, elsewhere).steps.at(-1)?.memory).toEqual({
    original_id: 'elsewhere',
  });
});

test.each(['', 'javascript:alert(1)', 'not an address'])(
  'an issue whose address is %j is named as code, which leads nowhere',
  (url) => {
    const elsewhere = issue(1, { trackerId: 'other', url });
    expect(commentsTowards(elsewhere)[0]).toBe('Closing as a duplicate of `acme/web#1`.');
  },
);

test('an address cannot break out of its Markdown link', () => {
  const elsewhere = issue(1, {
    trackerId: 'other',
    url: 'https://other.example/1)[click](https://evil.example',
  });
  expect(commentsTowards(elsewhere)[0]).not.toContain('](https://evil.example');
});

test('refuses to close an issue as a duplicate of an issue that was closed as its duplicate', async () => {
  const loser = issue(1);
  const survivor = issue(2, { state: 'closed', duplicateOf: loser.key });
  const root = await rootOf(survivor, followIn([loser, survivor]));
  expect(() => planClose(loser, survivor, root)).toThrow(/itself closed as a duplicate of acme\/web#1/);
});

test('refuses a cycle of duplicates', async () => {
  const one = issue(1, { state: 'closed', duplicateOf: 'acme/web#2' });
  const two = issue(2, { state: 'closed', duplicateOf: 'acme/web#1' });
  await expect(rootOf(one, followIn([one, two]))).rejects.toThrow(/in a circle/);
});

test('refuses a chain that leads to an unknown issue', async () => {
  const survivor = issue(2, { state: 'closed', duplicateOf: 'acme/other#9' });
  await expect(rootOf(survivor, followIn([survivor]))).rejects.toThrow(
    /acme\/other#9, which is not connected/,
  );
});

test('follows a chain of duplicates to its root and explains it in the change', async () => {
  const root = issue(1);
  const middle = issue(2, { state: 'closed', duplicateOf: root.key });
  const survivor = issue(3, { state: 'closed', duplicateOf: middle.key });
  const found = await rootOf(survivor, followIn([root, middle, survivor]));
  const plan = planClose(issue(4), survivor, found);
  expect(plan.title).toBe('Closed acme/web#4 as duplicate of acme/web#1.');
  expect(plan.rationale).toContain('acme/web#3 is itself a duplicate of acme/web#1');
  expect(plan.issues.map(({ key }) => key)).toEqual(['acme/web#4', 'acme/web#1', 'acme/web#3']);
});

test('treats a reopened duplicate as an original', async () => {
  const reopened = issue(2, { state: 'opened', duplicateOf: 'acme/web#1' });
  expect(await rootOf(reopened, followIn([]))).toBe(reopened);
});

test('comments on both issues before closing one', () => {
  const plan = planClose(issue(2), issue(1), issue(1));
  expect(plan.steps.map(({ action, key }) => [action, key])).toEqual([
    ['comment', 'acme/web#2'],
    ['comment', 'acme/web#1'],
    ['close_as_duplicate', 'acme/web#2'],
  ]);
  expect(plan.steps[0]?.after.comment).toContain('acme/web#1');
  expect(plan.steps[1]?.after.comment).toContain('acme/web#2');
  expect(plan.steps[2]?.after.duplicate_of).toBe('acme/web#1');
});

test('mentions the other issue by a link across trackers', () => {
  const plan = planClose(
    issue(2),
    issue(1, { trackerId: 'jira', key: 'WEB-1' }),
    issue(1, { key: 'WEB-1', trackerId: 'jira' }),
  );
  expect(plan.steps[0]?.after.comment).toContain('[WEB-1](https://github.example/acme/web/issues/1)');
});

test('marking as unrelated writes nothing to a tracker', () => {
  const plan = planUnrelated(issue(1), issue(2));
  expect(plan.steps.map(({ action }) => action)).toEqual(['mark_unrelated']);
  expect(plan.title).toBe('Marked acme/web#1 and acme/web#2 as unrelated.');
});

test('undoes in reverse order: reopens, then deletes the posted comments', () => {
  const steps = planClose(issue(2), issue(1), issue(1)).steps;
  const undone = undoSteps(
    steps.map((step, index) => ({ ...step, memory: { comment_external_id: `comment-${index}` } })),
  );
  expect(undone.map(({ action, key }) => [action, key])).toEqual([
    ['reopen', 'acme/web#2'],
    ['delete_comment', 'acme/web#1'],
    ['delete_comment', 'acme/web#2'],
  ]);
  expect(undone.map(({ memory }) => memory?.comment_external_id)).toEqual([
    undefined,
    'comment-1',
    'comment-0',
  ]);
});

test('refuses to merge into a closed issue or into a duplicate', () => {
  const [source, target] = [issue(2), issue(1, { state: 'closed' })];
  expect(() => planMerge(source, target, target, {})).toThrow(/acme\/web#1 is closed/);
  expect(() => planMerge(source, issue(1), issue(3), {})).toThrow(
    /itself closed as a duplicate of acme\/web#3/,
  );
});

test('a merge writes changed texts before it closes, and skips unchanged texts', () => {
  const actions = (texts: { title?: string; description?: string }) =>
    planMerge(issue(2), issue(1), issue(1), texts).steps.map(({ action, key }) => [action, key]);
  const closing = [
    ['comment', 'acme/web#2'],
    ['comment', 'acme/web#1'],
    ['close_as_duplicate', 'acme/web#2'],
  ];
  expect(actions({ title: 'Both' })).toEqual([['edit', 'acme/web#1'], ...closing]);
  expect(actions({ title: 'Issue 1', description: 'What happens in 1.' })).toEqual(closing);
});

test('refuses to deconflict without a changed text, or an issue with itself', () => {
  expect(() => planDeconflict(issue(1), issue(2), { first: {}, second: { title: 'Issue 2' } })).toThrow();
  const again = issue(1, { id: 'id-1-again', trackerId: 'other' });
  expect(() => planDeconflict(issue(1), again, { first: { title: 'X' }, second: {} })).toThrow(
    /both are the same issue/,
  );
});
