import { expect, test } from 'vitest';
import { conflict, invalid } from '../../platform/errors.ts';
import { namesElsewhere } from './names-elsewhere.ts';

const PROJECTS = [
  { id: 'own', identifier: 'corp/app', name: 'app' },
  { id: 'other', identifier: 'corp/secret', name: 'secret' },
  { id: 'jira', identifier: 'SEC', name: 'Security' },
];
const issues = { projectNames: async () => PROJECTS };
const isElsewhere = (told: unknown, inSentences = false) =>
  namesElsewhere({ issues }, 'account', 'own', told, { inSentences });

test.each([
  [{ key: 'corp/secret#1' }],
  [{ results: [{ issue: { key: 'SEC-12' } }] }],
  [{ key: 'corp/secret!7' }],
  [{ issue: ' corp/secret#1 ' }],
  [{ projects: ['corp/secret'] }],
  [conflict('changed_since', 'corp/secret#1 has changed: {"title":"Plans"}')],
  [invalid([{ path: 'issue', message: 'Two are called so: “corp/app#1”, “SEC-1”.' }])],
])('%j names another project', async (told) => {
  expect(await isElsewhere(told)).toBe(true);
});

test.each([
  [{ key: 'corp/app#1', description: 'As in corp/secret#1, so here.' }],
  [{ key: 'corp/app!1' }],
  [{ key: 'corp/secrets#1' }],
  [{ key: 'SECOND-1' }],
  [conflict('changed_since', 'corp/app#1 has changed.')],
])('%j does not', async (told) => {
  expect(await isElsewhere(told)).toBe(false);
});

test('a sentence names one where sentences are searched', async () => {
  const title = 'Created “Plans” in corp/secret.';
  expect([await isElsewhere({ title }), await isElsewhere({ title }, true)]).toEqual([false, true]);
});
