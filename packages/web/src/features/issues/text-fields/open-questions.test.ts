import { expect, test } from 'vitest';
import { isOpenQuestion, openQuestions } from './open-questions.ts';

test('questions are counted as the analyst and models write them', () => {
  expect(
    openQuestions(
      '### Scope\n_To clarify: What belongs to it?_\n- *To clarify: When?*\n- [ ] _To clarify: Who?_',
    ),
  ).toBe(3);
});

test('what is answered, or only speaks of it, is no open question', () => {
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
