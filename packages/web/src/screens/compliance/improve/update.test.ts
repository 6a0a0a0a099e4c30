import { expect, test } from 'vitest';
import { knownLines, questionsIn, updateOf } from './update.ts';

const issue = { title: 'Sync stalls', description: 'It stalls.\r\nAlways.' };

test('only a text that differs is written; line breaks alone are no difference', () => {
  expect(
    updateOf(issue, { title: 'Sync stalls', description: 'It stalls.\nAlways.', changes: 'Nothing' }),
  ).toBeNull();
  expect(
    updateOf(issue, { title: 'Sync stalls on Linux', description: 'It stalls.\nAlways.', changes: ' \n' }),
  ).toEqual({
    title: 'Sync stalls on Linux',
    changes: [],
  });
  expect(updateOf(issue, { title: 'Sync stalls', description: '', changes: 'Emptied' })).toEqual({
    description: '',
    changes: ['Emptied'],
  });
});

test('what was done is cut to what the server takes', () => {
  const changes = Array.from({ length: 60 }, () => 'x'.repeat(600)).join('\n');
  const update = updateOf(issue, { title: 'Other', description: '', changes });
  expect(update?.changes).toHaveLength(50);
  expect(update?.changes[0]).toHaveLength(500);
});

test('the questions of a description that is written are counted, of one that stays not', () => {
  expect(questionsIn({ description: 'It stalls.\n_To clarify: When?_', changes: [] })).toBe(1);
  expect(questionsIn({ title: 'Sync stalls', changes: [] })).toBe(0);
});

test('without a suggestion every line is the issue’s', () => {
  expect(knownLines(undefined, { title: '', description: 'one\ntwo' })).toEqual({
    text: 'one\ntwo',
    sources: ['issue', 'issue'],
  });
});
