import { describe, expect, test } from 'vitest';
import { differingLine } from './differing-line.ts';

describe('differingLine', () => {
  test('returns the line that differs, ignoring blank lines and spaces', () => {
    expect(differingLine('Steps\n\n1. Open 4.2 \n2. Save', 'Steps\r\n1. Open 4.3\n2. Save\n')).toEqual([
      '1. Open 4.2',
      '1. Open 4.3',
    ]);
  });

  test('returns an empty line for a text that lacks the line', () => {
    expect(differingLine('Steps\nSave', 'Steps\nOpen\nSave')).toEqual(['', 'Open']);
    expect(differingLine('Open\nSave\nSave', 'Open\nSave')).toEqual(['Save', '']);
  });

  test.each([
    ['equal texts', 'Steps\nSave', 'Steps\n\nSave'],
    ['two differing lines', 'Steps\nOpen\nSave', 'Steps\nClose\nSaves'],
    ['texts of one line', 'Open', 'Close'],
    ['texts with a common heading only', 'Steps\nOpen', 'Steps\nClose'],
    ['empty texts', '', ''],
  ])('returns null for %s', (_what, one, other) => {
    expect(differingLine(one, other)).toBeNull();
  });
});
