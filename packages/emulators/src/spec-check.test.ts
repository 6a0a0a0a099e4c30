import { expect, test } from 'vitest';
import { loadSpecCheck } from './spec-check.ts';

const github = await loadSpecCheck('github');
const jira = await loadSpecCheck('jira');

test('without the folder of API descriptions, nothing is compared', async () => {
  expect(await loadSpecCheck('github', new URL('file:///nowhere/at/all/'))).toBeNull();
});

test.skipIf(!github)('a request without a required field is rejected', () => {
  const result = github?.checkRequest({ method: 'POST', path: '/repos/a/b/issues', body: { body: 'text' } });
  expect(result?.operation).toBe('issues/create');
  expect(result?.errors.join()).toContain('title');
});

test.skipIf(!github)('a query parameter of the wrong type is rejected', () => {
  const result = github?.checkRequest({ method: 'GET', path: '/repos/a/b/issues', query: { state: 'ajar' } });
  expect(result?.errors).not.toEqual([]);
});

test.skipIf(!github)('a path that is missing in the description is reported as not compared', () => {
  const result = github?.checkRequest({ method: 'GET', path: '/repos/a/b/nonsense' });
  expect(result).toEqual({ operation: null, documented: false, errors: [] });
});

test.skipIf(!github)('a response that does not match the description is rejected', () => {
  const result = github?.checkResponse({
    method: 'GET',
    path: '/repos/a/b/issues/1',
    status: 200,
    body: { id: 'x' },
  });
  expect(result).toMatchObject({ operation: 'issues/get', documented: true });
  expect(result?.errors).not.toEqual([]);
});

test.skipIf(!github)('a status that is missing in the description is reported as undocumented', () => {
  const result = github?.checkResponse({ method: 'GET', path: '/repos/a/b/issues/1', status: 418, body: {} });
  expect(result).toMatchObject({ documented: false, errors: [] });
});

test.skipIf(!github)('valid requests are accepted, including numbers in the query', () => {
  const query = { state: 'all', per_page: '100', page: '2', since: '2024-01-01T00:00:00Z' };
  expect(github?.checkRequest({ method: 'GET', path: '/repos/a/b/issues', query })?.errors).toEqual([]);
  const body = { title: 'A title', labels: ['bug'] };
  expect(github?.checkRequest({ method: 'POST', path: '/repos/a/b/issues', body })?.errors).toEqual([]);
});

test.skipIf(!jira)('the API description of Jira can be used, too', () => {
  const path = '/rest/api/3/search/jql';
  expect(jira?.checkRequest({ method: 'POST', path, body: { jql: 5 } })?.errors).not.toEqual([]);
  expect(jira?.checkRequest({ method: 'POST', path, body: { jql: 'project = A' } })?.errors).toEqual([]);
});
