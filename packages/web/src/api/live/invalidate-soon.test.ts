import type { LiveEvent } from '@winnow/contract/live';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { gatherInvalidations } from './invalidate-soon.ts';
import { familiesTouchedBy } from './invalidations.ts';

const TRACKER = '7d9f3b5e-52a0-4c0e-9d57-3f8a1d3c9b11';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('what events put out of date', () => {
  test('a hundred events in ten seconds cause eight refetches, not a hundred', () => {
    const calls: string[][] = [];
    const touch = gatherInvalidations((families) => calls.push([...families]), Date.now);
    for (let count = 0; count < 100; count += 1) {
      touch(['pairs']);
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(5000);
    expect(calls.length).toBeLessThanOrEqual(8);
    expect(calls.length).toBeGreaterThanOrEqual(6);
  });

  test('the last event is never lost', () => {
    const calls: string[][] = [];
    const touch = gatherInvalidations((families) => calls.push([...families]), Date.now);
    touch(['pairs']);
    vi.advanceTimersByTime(200);
    touch(['changes']);
    vi.advanceTimersByTime(2000);
    expect(calls).toEqual([['pairs'], ['changes']]);
  });

  test('nothing touched, nothing refetched', () => {
    const calls: string[][] = [];
    const touch = gatherInvalidations((families) => calls.push([...families]), Date.now);
    touch([]);
    vi.advanceTimersByTime(5000);
    expect(calls).toEqual([]);
  });

  test('a sync refetches lists when it ends, not at every step', () => {
    const progress = (state: 'running' | 'queued' | 'idle' | 'failed'): LiveEvent => ({
      type: 'sync_progress',
      tracker_id: TRACKER,
      state,
      progress: null,
    });
    expect(familiesTouchedBy(progress('running'))).toEqual([]);
    expect(familiesTouchedBy(progress('idle'))).toContain('pairs');
    expect(familiesTouchedBy(progress('failed'))).toContain('trackers');
  });

  test('a decision refetches the ledger, the pairs, the scores, and the trackers it may tell something about', () => {
    const event: LiveEvent = { type: 'change_updated', change_id: TRACKER, status: 'applied' };
    expect(familiesTouchedBy(event)).toEqual([
      'changes',
      'pairs',
      'issues',
      'trackers',
      'compliance',
      'dependencies',
    ]);
  });
});
