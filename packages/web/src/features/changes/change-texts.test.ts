import type { Change } from '@winnow/contract/change';
import { expect, test } from 'vitest';
import { decisionText, requesterText, titleOf, writtenStepsText } from './change-texts.ts';

const ID = '6a1f3c52-0c1b-4b66-9d3f-0f3a5c0e7a11';
const AT = '2026-11-22T08:00:00.000Z';
const LATER = '2026-11-22T09:00:00.000Z';

test('distinguishes a user and an API key with the same name', () => {
  expect(requesterText({ actor: { type: 'user', id: ID, name: 'Maya' } })).toBe('Maya');
  expect(requesterText({ actor: { type: 'api_key', id: ID, name: 'Bot' } })).toBe('Bot (API key)');
});

test('names the approver, unless the requester approved the change when creating it', () => {
  const change = { actor: { type: 'user', id: ID, name: 'Maya' }, created_at: AT } as const;
  const text = (status: Change['status'], decided_by: string | null, decided_at: string | null) =>
    decisionText({ ...change, status, decided_by, decided_at });
  expect(text('proposed', null, null)).toBeNull();
  expect(text('applied', 'Maya', AT)).toBeNull();
  expect(text('applied', 'Maya', LATER)).toBe('Approved by Maya');
  expect(text('rejected', 'Ines', LATER)).toBe('Rejected by Ines');
});

test('uses the imperative in the title of a proposed or rejected change', () => {
  const proposed = (title: string) => titleOf({ status: 'proposed', title });
  expect(proposed('Closed a/b#2 as duplicate of a/b#1.')).toBe('Close a/b#2 as duplicate of a/b#1');
  expect(proposed('Merged PAY-2 and PAY-1.')).toBe('Merge PAY-2 and PAY-1');
  expect(proposed('Deconflicted PAY-2 and PAY-1.')).toBe('Deconflict PAY-2 and PAY-1');
  expect(proposed('Marked PAY-2 and PAY-1 as unrelated.')).toBe('Mark PAY-2 and PAY-1 as unrelated');
  expect(proposed('Updated PAY-1.')).toBe('Update PAY-1');
  expect(proposed('Called Wiki/save_page.')).toBe('Call Wiki/save_page');
  expect(proposed('Undo: Merged PAY-2 and PAY-1.')).toBe('Undo: Merged PAY-2 and PAY-1');
  expect(titleOf({ status: 'rejected', title: 'Merged PAY-2 and PAY-1.' })).toBe('Merge PAY-2 and PAY-1');
  expect(titleOf({ status: 'applied', title: 'Merged PAY-2 and PAY-1.' })).toBe('Merged PAY-2 and PAY-1.');
});

test('counts the completed steps in the progress sentence', () => {
  const step = (status: Change['steps'][number]['status']): Change['steps'][number] => ({
    id: ID,
    action: 'comment',
    group: 0,
    target_key: 'PAY-1',
    target_project_id: null,
    other_project_id: null,
    target_tracker: null,
    before: {},
    after: {},
    status,
    error: null,
    applied_at: null,
  });
  const steps = [step('applied'), step('applied'), step('failed')];
  expect(writtenStepsText({ status: 'partly_applied', steps })).toBe(
    '2 of 3 steps done. The rest could not be written.',
  );
  expect(writtenStepsText({ status: 'applying', steps: [step('pending')] })).toBe(
    'Applying: 0 of 1 step done',
  );
  const call = { ...step('failed'), action: 'call_tool' } as const;
  expect(writtenStepsText({ status: 'failed', steps: [call] })).toBe('The call failed.');
});
