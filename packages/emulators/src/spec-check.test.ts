import { expect, test } from 'vitest';
import { loadSpecCheck } from './spec-check.ts';

const github = await loadSpecCheck('github');
const jira = await loadSpecCheck('jira');

test('without the folder of descriptions there is no checker', async () => {
  expect(await loadSpecCheck('github', new URL('file:///nowhere/at/all/'))).toBeNull();
});

test.skipIf(!github)('a request that lacks a required field is rejected', () => {
  const result = github?.checkRequest({ method: 'POST', path: '/repos/a/b/issues', body: { body: 'text' } });
  expect(result?.operation).toBe('issues/create');
  expect(result?.errors.join()).toContain('title');
});

test.skipIf(!github)('a request with a query of the wrong kind is rejected', () => {
  const result = github?.checkRequest({ method: 'GET', path: '/repos/a/b/issues', query: { state: 'ajar' } });
  expect(result?.errors).not.toEqual([]);
});

test.skipIf(!github)('a path that is not described is not taken for a good one', () => {
  const result = github?.checkRequest({ method: 'GET', path: '/repos/a/b/nonsense' });
  expect(result).toEqual({ operation: null, documented: false, errors: [] });
});

test.skipIf(!github)('an answer that is not what the description says is rejected', () => {
  const result = github?.checkResponse({
    method: 'GET',
    path: '/repos/a/b/issues/1',
    status: 200,
    body: { id: 'x' },
  });
  expect(result).toMatchObject({ operation: 'issues/get', documented: true });
  expect(result?.errors).not.toEqual([]);
});

test.skipIf(!github)('an undocumented status is said to be so', () => {
  const result = github?.checkResponse({ method: 'GET', path: '/repos/a/b/issues/1', status: 418, body: {} });
  expect(result).toMatchObject({ documented: false, errors: [] });
});

test.skipIf(!github)('good requests pass, numbers in the query included', () => {
  const query = { state: 'all', per_page: '100', page: '2', since: '2024-01-01T00:00:00Z' };
  expect(github?.checkRequest({ method: 'GET', path: '/repos/a/b/issues', query })?.errors).toEqual([]);
  const body = { title: 'A title', labels: ['bug'] };
  expect(github?.checkRequest({ method: 'POST', path: '/repos/a/b/issues', body })?.errors).toEqual([]);
});

test.skipIf(!jira)('the Jira description is usable too', () => {
  const path = '/rest/api/3/search/jql';
  expect(jira?.checkRequest({ method: 'POST', path, body: { jql: 5 } })?.errors).not.toEqual([]);
  expect(jira?.checkRequest({ method: 'POST', path, body: { jql: 'project = A' } })?.errors).toEqual([]);
});
