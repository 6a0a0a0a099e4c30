import { expect, test } from 'vitest';
import { isOpenQuestion, openQuestions } from './open-questions.ts';

test('counts questions in the formats of the built-in analyst and of language models', () => {
  expect(
    openQuestions(
      '### Scope\n_To clarify: What belongs to it?_\n- *To clarify: When?*\n- [ ] _To clarify: Who?_',
    ),
  ).toBe(3);
});

test('ignores answered questions and prose that mentions clarifying', () => {
  expect(
    [
      'Only the tray.',
      '- [x] _To clarify: Who?_ Ada.',
      'We want to clarify: this is urgent.',
      '',
      'To clarify',
    ].map(isOpenQuestion),
  ).toEqual([false, false, false, false, false]);
});
