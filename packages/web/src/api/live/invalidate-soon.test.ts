import type { LiveEvent } from '@winnow/contract/live';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { batchInvalidations } from './invalidate-soon.ts';
import { familiesTouchedBy } from './invalidations.ts';

const TRACKER = '7d9f3b5e-52a0-4c0e-9d57-3f8a1d3c9b11';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('invalidation by events', () => {
  test('batches a hundred events in ten seconds into at most eight refetches', () => {
    const calls: string[][] = [];
    const touch = batchInvalidations((families) => calls.push([...families]), Date.now);
    for (let count = 0; count < 100; count += 1) {
      touch(['pairs']);
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(5000);
    expect(calls.length).toBeLessThanOrEqual(8);
    expect(calls.length).toBeGreaterThanOrEqual(6);
  });

  test('never loses the last event', () => {
    const calls: string[][] = [];
    const touch = batchInvalidations((families) => calls.push([...families]), Date.now);
    touch(['pairs']);
    vi.advanceTimersByTime(200);
    touch(['changes']);
    vi.advanceTimersByTime(2000);
    expect(calls).toEqual([['pairs'], ['changes']]);
  });

  test('refetches nothing without affected queries', () => {
    const calls: string[][] = [];
    const touch = batchInvalidations((families) => calls.push([...families]), Date.now);
    touch([]);
    vi.advanceTimersByTime(5000);
    expect(calls).toEqual([]);
  });

  test('refetches lists when a sync ends, not on progress', () => {
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

  test('refetches the ledger, pairs, scores, trackers and models after a change', () => {
    const event: LiveEvent = { type: 'change_updated', change_id: TRACKER, status: 'applied' };
    expect(familiesTouchedBy(event)).toEqual([
      'changes',
      'pairs',
      'clusters',
      'issues',
      'trackers',
      'compliance',
      'dependencies',
      'aiModels',
    ]);
  });
});
