import { expect, test } from 'vitest';
import { knownLines, questionsIn, updateOf } from './update.ts';

const issue = { title: 'Sync stalls', description: 'It stalls.\r\nAlways.' };

test('updates only texts that differ, ignoring the format of line breaks', () => {
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

test('limits the number and length of the listed changes to what the server accepts', () => {
  const changes = Array.from({ length: 60 }, () => 'x'.repeat(600)).join('\n');
  const update = updateOf(issue, { title: 'Other', description: '', changes });
  expect(update?.changes).toHaveLength(50);
  expect(update?.changes[0]).toHaveLength(500);
});

test('counts open questions only if the update contains the description', () => {
  expect(questionsIn({ description: 'It stalls.\n_To clarify: When?_', changes: [] })).toBe(1);
  expect(questionsIn({ title: 'Sync stalls', changes: [] })).toBe(0);
});

test('marks every line as from the issue if there is no suggestion', () => {
  expect(knownLines(undefined, { title: '', description: 'one\ntwo' })).toEqual({
    text: 'one\ntwo',
    sources: ['issue', 'issue'],
  });
});
