import { expect, test } from 'vitest';
import { isSameText, withTyped } from './text-edits.ts';

test('discards an edit if the text equals the suggestion again', () => {
  const suggested = { title: 'Sync stalls', description: '' };
  const typed = withTyped({}, suggested, 'title', 'Sync');
  expect(typed).toEqual({ title: 'Sync' });
  expect(withTyped(typed, suggested, 'title', 'Sync stalls')).toEqual({});
  expect(withTyped(typed, suggested, 'description', '\n')).toEqual({ title: 'Sync', description: '\n' });
});

test('ignores differences in line breaks', () => {
  expect(isSameText('It stalls.\r\nAlways.', 'It stalls.\nAlways.')).toBe(true);
  expect(isSameText('It stalls.', 'It stalls.\n')).toBe(false);
});
