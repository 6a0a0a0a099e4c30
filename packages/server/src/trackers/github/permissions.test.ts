import { expect, test } from 'vitest';
import { missingRoles, missingScopes } from './permissions.ts';

test.each([
  ['', ['repo (read and write issues)', 'read:org (list your organizations)']],
  ['gist, user', ['repo (read and write issues)', 'read:org (list your organizations)']],
  ['repo:status, read:org', ['repo (read and write issues)']],
  ['repo', ['read:org (list your organizations)']],
  ['repo, read:org', []],
  ['public_repo,admin:org', []],
])('a classic token with the scopes "%s" lacks %j', (header, missing) => {
  expect(missingScopes(header)).toEqual(missing);
});

const repository = { id: 1, name: 'app', full_name: 'acme/app' };

test.each([
  ['reaches no repository', [], ['Repository access']],
  ['may only read', [{ ...repository, permissions: { pull: true, push: false } }], ['Issues: write']],
  ['may triage', [{ ...repository, permissions: { pull: true, triage: true } }], []],
  ['does not reveal its permissions', [repository], []],
])('reports what a fine-grained token lacks that %s', (_, repositories, missing) => {
  expect(missingRoles(repositories)).toEqual(missing);
});
