import { type StepAction, stepAction } from '@winnow/contract/change';
import { describe, expect, test } from 'vitest';
import { effectText, stateMove, stepWords, writesText, writesToTracker } from './step-text.ts';

describe('steps in words', () => {
  test('describes every action', () => {
    for (const action of stepAction.options) {
      const words = stepWords({ action, target_key: 'skua/sync#2', before: {}, after: {} });
      expect(words.before).not.toBe('');
      expect(words.key).toBe('skua/sync#2');
    }
  });

  test('treats every action as a write to a tracker, except pair marks and tool calls', () => {
    expect(stepAction.options.filter((action) => !writesToTracker(action))).toEqual([
      'mark_unrelated',
      'unmark_unrelated',
      'call_tool',
    ]);
  });

  test('states where a change takes effect', () => {
    const effect = (...actions: StepAction[]) => effectText(actions.map((action) => ({ action })));
    expect(effect('mark_unrelated')).toBe('In Winnow only');
    expect(effect('comment', 'close')).toBe('2 writes');
    expect(effect('call_tool')).toBe('Outside of Winnow and its trackers');
  });

  test('names the original when closing a duplicate', () => {
    const step = {
      action: 'close_as_duplicate',
      target_key: 'A-2',
      before: {},
      after: { duplicate_of: 'A-1' },
    } as const;
    expect(stepWords(step)).toEqual({
      before: 'Close',
      key: 'A-2',
      between: 'as a duplicate of',
      otherKey: 'A-1',
    });
  });

  test('names the blocked issue when linking and unlinking', () => {
    const link = {
      action: 'link_blocking',
      target_key: 'A-1',
      before: {},
      after: { blocks: 'A-2' },
    } as const;
    expect(stepWords(link)).toMatchObject({ key: 'A-1', between: 'as blocking', otherKey: 'A-2' });
    const unlink = {
      action: 'unlink_blocking',
      target_key: 'A-1',
      before: { blocks: 'A-2' },
      after: {},
    } as const;
    expect(stepWords(unlink)).toMatchObject({ key: 'A-1', between: 'as blocking', otherKey: 'A-2' });
  });

  test('names the fields that a step edits', () => {
    const edit = { action: 'edit', target_key: 'A-2', before: {} } as const;
    const words = (after: { title?: string; description?: string }) => stepWords({ ...edit, after }).before;
    expect(words({ title: '' })).toBe('Edit the title of');
    expect(words({ description: '' })).toBe('Edit the description of');
    expect(words({ title: '', description: '' })).toBe('Edit the title and description of');
  });

  test('returns a state transition only if the states before and after are known', () => {
    expect(stateMove({ before: {}, after: { comment: 'x' } })).toBeNull();
    expect(stateMove({ before: { state: 'opened' }, after: { state: 'closed' } })).toEqual({
      from: 'Opened',
      to: 'Closed',
    });
  });

  test('formats a number of writes with the names of the trackers, which are omitted for 0 writes', () => {
    expect(writesText(0, ['GitHub'])).toBe('0 writes');
    expect(writesText(1, ['GitHub'])).toBe('1 write to GitHub');
    expect(writesText(3, ['GitHub', 'the sample backlog'])).toBe('3 writes to GitHub and the sample backlog');
  });
});
