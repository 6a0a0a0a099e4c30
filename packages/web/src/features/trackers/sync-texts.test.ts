import type { Tracker } from '@winnow/contract/tracker';
import { describe, expect, test } from 'vitest';
import {
  healthSummary,
  healthWords,
  isBusy,
  oldestCheck,
  progressShare,
  progressText,
  restingText,
} from './sync-texts.ts';

const sync: Tracker['sync'] = {
  state: 'idle',
  progress: null,
  last_finished_at: '2026-11-20T10:00:00.000Z',
  last_error: null,
  issues: 640,
};
const health: Tracker['health'] = {
  status: 'ok',
  message: null,
  cause: null,
  checked_at: '2026-11-20T10:00:00.000Z',
  missing_permissions: [],
};
const base = {
  tracker_type: 'github' as const,
  tracker_login: 'maya',
  health,
  sync,
  webhooks: { state: 'polling' as const, last_event_at: null },
};

describe('progress', () => {
  test('shows no percentage of progress if the total is unknown', () => {
    expect(progressShare(null)).toBeNull();
    expect(progressShare({ done: 40, total: 0 })).toBeNull();
    expect(progressText({ done: 40, total: 0 })).toBe('40 issues so far');
    expect(progressText(null)).toBe('Reading from the tracker');
  });

  test('limits progress to 100%, even if more issues are read than counted at the start', () => {
    expect(progressShare({ done: 12, total: 10 })).toBe(1);
  });

  test('shows the number of read issues and the total', () => {
    expect(progressText({ done: 1984, total: 2219 })).toBe('1,984 of 2,219 issues');
    expect(progressText({ done: 0, total: 1 })).toBe('0 of 1 issue');
  });
});

describe('text of a sync that is not running', () => {
  test('states why the last sync failed', () => {
    expect(restingText({ ...base, sync: { ...sync, state: 'failed', last_error: 'GitHub said no.' } })).toBe(
      'GitHub said no.',
    );
    expect(restingText({ ...base, sync: { ...sync, state: 'failed' } })).toBe('The last sync failed.');
  });

  test('contains the notice of the last sync', () => {
    const done = { ...sync, state: 'idle', last_finished_at: '2026-01-01T00:00:00.000Z' } as const;
    const news = 'acme/old is archived.';
    expect(restingText({ ...base, sync: { ...done, last_error: news } })).toBe(news);
    expect(restingText({ ...base, sync: done })).toMatch(/^Up to date/);
  });

  test('states why a sync waits, if known', () => {
    expect(restingText({ ...base, sync: { ...sync, state: 'queued', last_error: 'Limit until 10.' } })).toBe(
      'Limit until 10.',
    );
    expect(restingText({ ...base, sync: { ...sync, state: 'queued' } })).toBe('Waiting to sync');
  });

  test('omits a message that is already displayed elsewhere', () => {
    const displayed = 'Limit until 10.';
    const of = (state: Tracker['sync']['state']) =>
      restingText({ ...base, sync: { ...sync, state, last_error: displayed } }, displayed);
    expect([of('queued'), of('failed')]).toEqual(['Paused. Resumes automatically.', 'The last sync failed.']);
  });

  test('does not claim to be up to date before the first sync has finished', () => {
    const first = { ...sync, last_finished_at: null };
    expect(restingText({ ...base, sync: { ...first, issues: 0 } })).toBe('Waiting for the first sync');
    expect(restingText({ ...base, sync: first })).toBe('Finishing the first sync');
  });

  test('states how Winnow learns of changes in the tracker', () => {
    expect(restingText(base)).toBe('Up to date, checks for changes regularly');
    expect(restingText({ ...base, webhooks: { state: 'active', last_event_at: null } })).toBe(
      'Up to date, webhooks active',
    );
    expect(restingText({ ...base, tracker_type: 'sample' })).toBe('Up to date');
  });

  test('treats a queued or running sync as busy', () => {
    const busy = (state: Tracker['sync']['state']) => isBusy({ sync: { ...sync, state } });
    expect([busy('queued'), busy('running'), busy('idle'), busy('failed')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('health', () => {
  test('names missing permissions, even if the server sent no message', () => {
    const lacking = { ...health, status: 'warning' as const, missing_permissions: ['Issues: write', 'repo'] };
    expect(healthWords({ ...base, health: lacking })).toEqual({
      tone: 'warning',
      label: 'Missing permissions',
      sentence: 'This token lacks: Issues: write, repo.',
    });
  });

  test('shows the server’s message for a broken connection', () => {
    const broken = { ...health, status: 'error' as const, message: 'Token revoked.' };
    expect(healthWords({ ...base, health: broken })).toMatchObject({
      tone: 'danger',
      sentence: 'Token revoked.',
    });
  });

  test('distinguishes a refused token from an unreachable tracker', () => {
    const message = 'github.example refused the token.';
    const refused = { ...health, status: 'error' as const, cause: 'token_refused' as const, message };
    const unreachable = { ...health, status: 'error' as const };
    expect(healthWords({ ...base, health: refused })).toEqual({
      tone: 'danger',
      label: 'Token refused',
      sentence: message,
    });
    expect(healthSummary([{ health: refused }])).toBe('1 with a refused token');
    expect(healthSummary([{ health: refused }, { health: unreachable }])).toBe('2 cannot be read');
  });

  test('names the user of a working connection', () => {
    expect(healthWords(base).sentence).toBe('Connected as maya.');
    expect(healthWords({ ...base, tracker_login: null }).sentence).toBe('The connection works.');
  });

  test('summarizes the worst status of all trackers', () => {
    const of = (...states: Tracker['health']['status'][]) =>
      healthSummary(states.map((status) => ({ health: { ...health, status } })));
    expect(of()).toBe('None connected yet');
    expect(of('ok', 'warning', 'error')).toBe('1 not reachable');
    expect(of('ok', 'warning')).toBe('1 with a limited connection');
    expect(of('ok', 'unknown')).toBe('1 not checked yet');
    expect(of('ok', 'ok')).toBe('All reachable');
  });

  test('returns the time of the oldest check', () => {
    const at = (checked_at: string | null) => ({ health: { ...health, checked_at } });
    expect(oldestCheck([])).toBeNull();
    expect(oldestCheck([at('2026-11-20T10:00:00.000Z'), at(null), at('2026-11-19T10:00:00.000Z')])).toBe(
      '2026-11-19T10:00:00.000Z',
    );
  });
});
