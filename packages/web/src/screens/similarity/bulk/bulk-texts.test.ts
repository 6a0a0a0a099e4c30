import { expect, test } from 'vitest';
import { confirmText, doneText } from './bulk-texts.ts';

test('shows the exact count on the button', () => {
  expect(confirmText('close', 1)).toBe('Close 1 issue');
  expect(confirmText('dismiss', 12)).toBe('Dismiss 12 pairs');
});

test('states the number of requested actions if some failed', () => {
  expect(doneText('close', 3, 3)).toBe('Closed 3 issues as duplicates.');
  expect(doneText('close', 2, 3)).toBe('Closed 2 of 3 issues as duplicates.');
  expect(doneText('unrelated', 1, 1)).toBe('Marked 1 pair as unrelated.');
});
