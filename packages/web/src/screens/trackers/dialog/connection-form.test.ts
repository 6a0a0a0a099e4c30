import { type Tracker, trackerCreate, trackerUpdate } from '@winnow/contract/tracker';
import { describe, expect, test } from 'vitest';
import {
  connectionOf,
  connectionSchema,
  createBody,
  firstLine,
  initialValues,
  updateBody,
} from './connection-form.ts';

const stored: Tracker = {
  id: '6a1f3c52-0c1b-4b66-9d3f-0f3a5c0e7a11',
  name: 'Skua GitHub',
  tracker_type: 'github',
  url: 'https://git.skua.example',
  is_active: true,
  connection_details: {},
  scope_rules: [],
  tracker_login: 'maya',
  health: { status: 'ok', message: null, cause: null, checked_at: null, missing_permissions: [] },
  sync: { state: 'idle', progress: null, last_finished_at: null, last_error: null, issues: 0 },
  webhooks: { state: 'polling', last_event_at: null },
  created: '2026-11-20T10:00:00.000Z',
  last_updated: '2026-11-20T10:00:00.000Z',
};
const filled = {
  name: ' Skua ',
  type: 'github' as const,
  url: ' https://github.com ',
  username: '',
  api_key: ' token ',
};

function errorsOf(values: object, editing: boolean, taken: string[] = []): Record<string, string> {
  const issues = connectionSchema(editing, taken).safeParse(values).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));
}

describe('the connection step', () => {
  test('requires a name and a key for a new tracker', () => {
    expect(errorsOf({ ...filled, name: '  ', api_key: '  ' }, false)).toEqual({
      name: 'Enter a name.',
      api_key: 'Enter an API key.',
    });
  });

  test('rejects the name of another tracker, ignoring letter case', () => {
    expect(errorsOf({ ...filled, name: 'skua' }, false, ['Other', 'SKUA'])).toEqual({
      name: 'A tracker with this name already exists.',
    });
  });

  test('does not require a key for an edited tracker', () => {
    expect(errorsOf({ ...filled, api_key: '' }, true)).toEqual({});
  });

  test('starts a new tracker with the default address of its type', () => {
    expect(initialValues(null)).toEqual({
      name: '',
      type: 'github',
      url: 'https://github.com',
      username: '',
      api_key: '',
    });
  });

  test('requires an address for Jira, and also a username for Jira Cloud', () => {
    const jira = { ...filled, type: 'jira', url: '' };
    expect(errorsOf(jira, false)).toHaveProperty('url');
    expect(errorsOf({ ...jira, url: 'https://acme.atlassian.net' }, false)).toHaveProperty('username');
    expect(errorsOf({ ...jira, url: 'acme.atlassian.net/', username: 'a@b.co' }, false)).toEqual({});
    expect(errorsOf({ ...jira, url: 'https://jira.example.com' }, false)).toEqual({});
  });

  test('starts with the values of an edited tracker, but without the key', () => {
    expect(initialValues(stored)).toMatchObject({
      name: 'Skua GitHub',
      url: 'https://git.skua.example',
      api_key: '',
    });
  });
});

describe('request bodies', () => {
  test('sends the id of an edited tracker with the check if no new key is entered', () => {
    const body = updateBody({ ...filled, api_key: '   ' }, []);
    expect(body).not.toHaveProperty('api_key');
    expect(trackerUpdate.parse(body)).toEqual(body);
    expect(connectionOf({ ...filled, api_key: '' }, stored)).toMatchObject({
      tracker_id: stored.id,
      api_key: '',
    });
  });

  test('creates a request body with trimmed values that matches the schema', () => {
    const body = createBody(filled, [
      { rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'skua' },
    ]);
    expect(trackerCreate.parse(body)).toEqual(body);
    expect(body).toMatchObject({ name: 'Skua', url: 'https://github.com', api_key: 'token' });
    expect(connectionOf(filled, null)).not.toHaveProperty('tracker_id');
  });
});

test('sends the username for Jira only', () => {
  const jira = { ...filled, type: 'jira' as const, username: ' ada@example.com ' };
  expect(createBody(jira, [])).toMatchObject({ config: { username: 'ada@example.com' } });
  expect(connectionOf({ ...filled, username: 'ada' }, null).connection_details).toEqual({});
});

test('shows only the first line of an error', () => {
  expect(firstLine('')).toBe('The connection could not be checked.');
  expect(firstLine('\n  GitHub did not accept this token. \n at line 3')).toBe(
    'GitHub did not accept this token.',
  );
});
