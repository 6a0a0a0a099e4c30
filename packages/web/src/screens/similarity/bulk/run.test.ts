import { expect, test } from 'vitest';
import { type Outcome, runInOrder } from './run.ts';

const states = (outcomes: readonly Outcome<string>[]) => outcomes.map(({ state }) => state).join(' ');

test('runs items in order and continues after a failure', async () => {
  const heard: string[] = [];
  const outcomes = await runInOrder<string, string>(
    ['a', 'b', 'c'],
    async (item) => (item === 'b' ? { state: 'failed', reason: 'No.' } : { state: 'done', result: item }),
    { isStopped: () => false, onProgress: (all) => heard.push(states(all)) },
  );
  expect(heard).toEqual([
    'running waiting waiting',
    'done waiting waiting',
    'done running waiting',
    'done failed waiting',
    'done failed running',
    'done failed done',
  ]);
  expect(outcomes[1]).toEqual({ state: 'failed', reason: 'No.' });
});

test('finishes the current item and starts no other after a stop', async () => {
  let stopped = false;
  const begun: string[] = [];
  const outcomes = await runInOrder<string, string>(
    ['a', 'b', 'c'],
    async (item) => {
      begun.push(item);
      stopped = true;
      return { state: 'done', result: item };
    },
    { isStopped: () => stopped, onProgress: () => undefined },
  );
  expect(begun).toEqual(['a']);
  expect(states(outcomes)).toBe('done stopped stopped');
});
