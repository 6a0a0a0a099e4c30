import { expect, test } from 'vitest';
import { type CanonicalCandidate, proposeCanonical } from './canonical.ts';

const issue = (number: number, fields: Partial<CanonicalCandidate> = {}): CanonicalCandidate => ({
  id: `id-${number}`,
  key: `#${number}`,
  createdAt: number,
  isClosed: false,
  isFixed: false,
  isDuplicate: false,
  isLocked: false,
  reactions: 0,
  comments: 0,
  participants: 0,
  milestone: null,
  hasSteps: false,
  ...fields,
});

test('never proposes a duplicate, a locked issue, or one closed without a fix', () => {
  const candidates = [
    issue(1, { isDuplicate: true }),
    issue(2, { isLocked: true }),
    issue(3, { isClosed: true }),
  ];
  expect(proposeCanonical(candidates)).toEqual({
    id: null,
    reasons: ['No issue of the cluster can be the canonical one.'],
    excluded: [
      { id: 'id-1', reason: '#1 is a duplicate itself.' },
      { id: 'id-2', reason: '#2 is locked.' },
      { id: 'id-3', reason: '#3 is closed without a fix.' },
    ],
  });
  expect(proposeCanonical([...candidates, issue(4)]).id).toBe('id-4');
});

test('proposes the oldest open issue, in any order of the input', () => {
  const expected = { id: 'id-1', reasons: ['It is the oldest open issue.'], excluded: [] };
  expect(proposeCanonical([issue(2), issue(1), issue(3)])).toEqual(expected);
  expect(proposeCanonical([issue(3), issue(2), issue(1)])).toEqual(expected);
});

test('prefers an open issue with a fix', () => {
  const { id, reasons } = proposeCanonical([issue(1, { comments: 90 }), issue(2, { isFixed: true })]);
  expect(id).toBe('id-2');
  expect(reasons).toEqual(['It has a fix, and #1 has none.', 'It is open.']);
});

test('proposes a closed issue with a fix only if no issue is open', () => {
  const fixed = [issue(1, { isClosed: true, isFixed: true }), issue(2, { isClosed: true, isFixed: true })];
  expect(proposeCanonical([...fixed, issue(3)]).id).toBe('id-3');
  const { id, reasons } = proposeCanonical(fixed);
  expect(id).toBe('id-1');
  expect(reasons).toEqual(['No open issue can be the canonical one.', 'It is the oldest with a fix.']);
});

test('prefers an issue with clearly more engagement, but not with slightly more', () => {
  const oldest = issue(1, { comments: 3, participants: 2 });
  expect(proposeCanonical([oldest, issue(2, { comments: 6, participants: 3 })]).id).toBe('id-1');
  const { id, reasons } = proposeCanonical([
    oldest,
    issue(2, { reactions: 1, comments: 9, participants: 4 }),
  ]);
  expect(id).toBe('id-2');
  expect(reasons[0]).toBe(
    'It has 1 reaction, 9 comments and 4 participants, and #1 has 3 comments and 2 participants.',
  );
});

test('a milestone outweighs engagement, and engagement outweighs steps to reproduce', () => {
  const planned = issue(1, { milestone: '2.0' });
  expect(proposeCanonical([planned, issue(2, { comments: 50 })]).id).toBe('id-1');
  const discussed = issue(1, { comments: 20 });
  expect(proposeCanonical([discussed, issue(2, { hasSteps: true })]).id).toBe('id-1');
});

test('prefers a milestone to engagement, and steps to reproduce to no advantage', () => {
  const { id, reasons } = proposeCanonical([
    issue(1),
    issue(2, { comments: 50 }),
    issue(3, { milestone: '2.0' }),
  ]);
  expect([id, reasons[0]]).toEqual(['id-3', 'It is planned for “2.0”, and #1 has no milestone.']);
  const reproduced = proposeCanonical([issue(1), issue(2, { hasSteps: true })]);
  expect(reproduced.reasons[0]).toBe('It says how to reproduce the problem, and #1 does not.');
});
