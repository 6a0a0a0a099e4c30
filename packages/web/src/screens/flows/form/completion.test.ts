import { describe, expect, test } from 'vitest';
import { completeName, openNameAt } from './completion.ts';

describe('completion of variables in a prompt', () => {
  test('suggests all variables after two braces', () => {
    expect(openNameAt('Look at {{', 10)?.names).toContain('issue.title');
  });

  test.each([
    ['Look at {{iss', ['issue.key', 'issue.title']],
    ['Look at {{ title', ['issue.title']],
  ])('suggests only matching variables after %s', (text, names) => {
    expect(openNameAt(text, text.length)?.names).toEqual(expect.arrayContaining(names));
    expect(openNameAt(text, text.length)?.names).not.toContain('account.name');
  });

  test.each(['', '{', '{{issue.key}}', '{{nothing like it', 'a {{\n'])(
    'suggests no variable after %j',
    (text) => {
      expect(openNameAt(text, text.length)).toBeNull();
    },
  );

  test('replaces the typed text with the variable and places the caret after it', () => {
    const text = 'Look at {{iss and go on';
    const open = openNameAt(text, 13);
    if (open === null) throw new Error('Nothing is offered.');
    expect(completeName(text, 13, open, 'issue.key')).toEqual({
      text: 'Look at {{issue.key}} and go on',
      caret: 21,
    });
  });

  test('does not duplicate closing braces', () => {
    const text = '{{issue.}}';
    const open = openNameAt(text, 8);
    if (open === null) throw new Error('Nothing is offered.');
    expect(completeName(text, 8, open, 'issue.url').text).toBe('{{issue.url}}');
  });
});
