import type { Change } from '@winnow/contract/change';
import type { Pair } from '@winnow/contract/duplicate';
import { describe, expect, test } from 'vitest';
import { canBeRetried, canBeUndone, recentDecisions } from './recent-decisions.ts';

const ME = 'me';
const NOTHING = { dismissals: [], decidedAt: new Map<string, number>() };
const NOON = Date.parse('2026-03-04T12:00:00.000Z');

/** Creates a resolution of a pair, decided by the user `minute` minutes after noon. */
function resolution(id: string, minute: number, more: Partial<Change> = {}): Change {
  return {
    id,
    kind: 'resolution',
    status: 'applied',
    title: `Decided ${id}.`,
    rationale: null,
    confidence: null,
    actor: { type: 'user', id: ME, name: 'Maya' },
    decided_by: 'Maya',
    issue_keys: ['A-1', 'A-2'],
    issues: [],
    steps: [],
    base_hashes: {},
    created_at: new Date(NOON + minute * 60_000).toISOString(),
    decided_at: null,
    retried_by: null,
    applied_at: null,
    undoes: null,
    undone_by: null,
    ...more,
  };
}

function undoOf(id: string, status: Change['status'], error: string | null = null): Change {
  const undo = resolution(`undo-${id}`, 30, { kind: 'undo', status, undoes: id });
  return error === null ? undo : { ...undo, steps: [failedStep(error)] };
}

function failedStep(error: string): Change['steps'][number] {
  const step = {
    id: 's',
    action: 'reopen',
    group: 0,
    target_key: 'A-2',
    target_project_id: null,
    other_project_id: null,
    target_tracker: null,
    before: {},
    after: {},
  } as const;
  return { ...step, status: 'failed', error, applied_at: null };
}

function pairOf(id: string): Pair {
  const issue = {
    id: `${id}-issue`,
    key: 'A-1',
    title: '',
    status: 'open',
    state: 'opened',
    issue_type: 'issue',
    author: null,
    project_id: 'p',
    project: { id: 'p', name: '', identifier: '' },
    tracker_id: 't',
    tracker: { name: 'T', type: 'github' },
    url: '',
    comments_count: 0,
    created_at: '2026-03-04T10:00:00.000Z',
    updated_at: '2026-03-04T10:00:00.000Z',
  } as const;
  const likelihood = { probability: 0.5, standing: 'both_open', series: null, judgment: null } as const;
  const rest = { similarity: 0.5, ...likelihood, resolution: null, dismissed: true, undone: false };
  return { id, issue1: issue, issue2: { ...issue, key: 'A-2' }, ...rest, created_at: issue.created_at };
}

function only(...changes: Change[]) {
  const decisions = recentDecisions(changes, ME, NOTHING);
  expect(decisions).toHaveLength(1);
  return decisions[0];
}

describe('recent decisions', () => {
  test('omits undos, proposals, rejected changes, and changes by other users or API keys', () => {
    const changes = [
      resolution('a', 1, { actor: { type: 'user', id: 'somebody', name: '' } }),
      resolution('b', 2, { actor: { type: 'api_key', id: ME, name: '' } }),
      resolution('c', 3, { kind: 'mcp' }),
      resolution('d', 4, { status: 'proposed' }),
      resolution('e', 5, { status: 'rejected' }),
      undoOf('x', 'applied'),
    ];
    expect(recentDecisions(changes, ME, NOTHING)).toEqual([]);
  });

  test('lists issue updates, which can be undone', () => {
    const made = only(resolution('a', 1, { kind: 'compliance', issue_keys: ['A-1'] }));
    expect(made).toMatchObject({ state: 'done', undo: { kind: 'change' } });
  });

  test('lists changes and dismissals together, newest first', () => {
    const dismissals = [{ pair: pairOf('p'), at: NOON + 90_000, undone: false }];
    const decisions = recentDecisions([resolution('b', 2), resolution('a', 1)], ME, {
      ...NOTHING,
      dismissals,
    });
    expect(decisions.map(({ title }) => title)).toEqual([
      'Decided b.',
      'Dismissed the pair of A-1 and A-2.',
      'Decided a.',
    ]);
  });

  test('sorts decisions correctly if the clocks of browser and server differ by an hour', () => {
    const ahead = NOON + 3_600_000;
    const dismissals = [{ pair: pairOf('p'), at: ahead, undone: false }];
    const decidedAt = new Map([['a', ahead + 5_000]]);
    const [first] = recentDecisions([resolution('a', 0)], ME, { dismissals, decidedAt });
    expect(first?.title).toBe('Decided a.');
  });
});

describe('state of a decision', () => {
  test('offers undo only for decisions in effect', () => {
    expect(only(resolution('a', 1, { status: 'applying' }))).toMatchObject({ state: 'applying', undo: null });
    expect(only(resolution('a', 1, { status: 'undone' }))).toMatchObject({ state: 'undone', undo: null });
    expect(only(resolution('a', 1, { status: 'failed' }))).toMatchObject({ state: 'failed', undo: null });
    const change = resolution('a', 1);
    expect(only(change)).toMatchObject({ state: 'done', undo: { kind: 'change', change }, retry: null });
  });

  test('offers retry with the reason after a failure, and undo of the written part', () => {
    const steps = [failedStep('A-2 is locked.')];
    expect(only(resolution('a', 1, { status: 'failed', steps }))).toMatchObject({
      reason: 'A-2 is locked.',
      retry: 'a',
    });
    expect(only(resolution('a', 1, { status: 'partly_applied', steps }))).toMatchObject({
      state: 'partly_applied',
      reason: 'A-2 is locked.',
      retry: 'a',
      undo: { kind: 'change' },
    });
  });

  test('does not offer Undo while an undo is running', () => {
    const change = resolution('a', 1, { undone_by: 'undo-a' });
    expect(only(undoOf('a', 'applying'), change)).toMatchObject({ state: 'undoing', undo: null });
  });

  test('offers to retry a failed undo, with the reason of the failure', () => {
    const failed = { state: 'undo_failed', reason: 'A-2 was changed.', retry: 'undo-a', undo: null };
    expect(only(undoOf('a', 'failed', 'A-2 was changed.'), resolution('a', 1))).toMatchObject(failed);
    const partly = resolution('a', 1, { undone_by: 'undo-a' });
    expect(only(undoOf('a', 'partly_applied', 'A-2 was changed.'), partly)).toMatchObject(failed);
  });

  test('treats a restored pair as undone', () => {
    const dismissals = [{ pair: pairOf('p'), at: NOON, undone: true }];
    const [first] = recentDecisions([], ME, { ...NOTHING, dismissals });
    expect(first).toMatchObject({ state: 'undone', undo: null });
  });
});

test('offers neither undo nor retry for an external tool call', () => {
  const call = { ...failedStep('No room.'), action: 'call_tool' } as const;
  const made = (status: Change['status'], step: Change['steps'][number]) =>
    resolution('a', 1, { kind: 'flow', status, steps: [step] });
  expect(canBeUndone(made('applied', { ...call, status: 'applied' }))).toBe(false);
  expect(canBeRetried(made('failed', call))).toBe(false);
  expect(canBeRetried(made('failed', failedStep('No room.')))).toBe(true);
});
