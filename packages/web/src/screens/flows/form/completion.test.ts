import { describe, expect, test } from 'vitest';
import { completed, openNameAt } from './completion.ts';

describe('names in a prompt', () => {
  test('two braces offer all of them', () => {
    expect(openNameAt('Look at {{', 10)?.names).toContain('issue.title');
  });

  test.each([
    ['Look at {{iss', ['issue.key', 'issue.title']],
    ['Look at {{ title', ['issue.title']],
  ])('%s narrows them', (text, names) => {
    expect(openNameAt(text, text.length)?.names).toEqual(expect.arrayContaining(names));
    expect(openNameAt(text, text.length)?.names).not.toContain('account.name');
  });

  test.each(['', '{', '{{issue.key}}', '{{nothing like it', 'a {{\n'])('%j offers none', (text) => {
    expect(openNameAt(text, text.length)).toBeNull();
  });

  test('a chosen name takes the place of what was typed, and the caret is behind it', () => {
    const text = 'Look at {{iss and go on';
    const open = openNameAt(text, 13);
    if (open === null) throw new Error('Nothing is offered.');
    expect(completed(text, 13, open, 'issue.key')).toEqual({
      text: 'Look at {{issue.key}} and go on',
      caret: 21,
    });
  });

  test('what is closed already is not closed twice', () => {
    const text = '{{issue.}}';
    const open = openNameAt(text, 8);
    if (open === null) throw new Error('Nothing is offered.');
    expect(completed(text, 8, open, 'issue.url').text).toBe('{{issue.url}}');
  });
});
