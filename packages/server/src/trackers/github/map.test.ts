import { describe, expect, test } from 'vitest';
import { cleanText } from '../rest/read.ts';
import { toComment, toIssue, toProject, wireComment, wireIssue, wireRepository } from './map.ts';

const project = { externalId: '500001', identifier: 'acme/app', name: 'app' };
const least = {
  id: 3_100_000_017,
  number: 12,
  title: 'Title',
  state: 'open',
  html_url: 'https://github.com/acme/app/issues/12',
  created_at: '2024-01-02T03:04:05Z',
  updated_at: '2024-02-02T03:04:05Z',
};
const issueOf = (more: object) => toIssue(project, wireIssue.parse({ ...least, ...more }));

describe('an issue', () => {
  test.each([['number'], ['title'], ['state'], ['html_url'], ['created_at'], ['updated_at']])(
    'without its %s is rejected',
    (field) => {
      expect(wireIssue.safeParse({ ...least, [field]: undefined }).success).toBe(false);
    },
  );

  test('with an invalid time is rejected', () => {
    expect(wireIssue.safeParse({ ...least, updated_at: 'soon' }).success).toBe(false);
  });

  test('without optional fields is read with empty values', () => {
    expect(issueOf({})).toEqual({
      externalId: '12',
      key: 'acme/app#12',
      title: 'Title',
      description: '',
      status: 'open',
      state: 'opened',
      issueType: 'issue',
      priority: null,
      labels: [],
      assignees: [],
      author: null,
      url: 'https://github.com/acme/app/issues/12',
      parentKey: null,
      isDuplicate: false,
      duplicateOf: null,
      commentsCount: 0,
      reactions: 0,
      milestone: null,
      isLocked: false,
      isCompleted: false,
      closedAt: null,
      createdAt: new Date('2024-01-02T03:04:05Z'),
      updatedAt: new Date('2024-02-02T03:04:05Z'),
    });
  });

  test('of a deleted user has no author, and one without a body has an empty description', () => {
    expect(issueOf({ user: null, body: null })).toMatchObject({ author: null, description: '' });
  });

  test('includes type, labels in either form, assignees and parent', () => {
    const issue = issueOf({
      type: { name: 'Bug' },
      labels: ['old form', { name: 'new form' }, { name: null }],
      assignees: [{ login: 'ada' }, { login: 'bob' }],
      parent_issue_url: 'https://api.github.com/repos/acme/other/issues/7',
    });
    expect(issue).toMatchObject({
      issueType: 'Bug',
      labels: ['old form', 'new form'],
      assignees: ['ada', 'bob'],
      parentKey: 'acme/other#7',
    });
  });

  test('that is a pull request is a change request, whatever its type', () => {
    expect(issueOf({ pull_request: { url: 'x' }, type: { name: 'Bug' } }).issueType).toBe('change_request');
  });

  test('that is closed has our state and GitHub’s status', () => {
    expect(issueOf({ state: 'closed', state_reason: 'not_planned' })).toMatchObject({
      status: 'closed',
      state: 'closed',
    });
  });
});

describe('text', () => {
  test('loses NUL and unpaired surrogates, which the database cannot store', () => {
    expect(cleanText('a\0b\ud800c\udc00d')).toBe('abcd');
  });

  test.each([
    ['👩‍👩‍👧 🏳️‍🌈 𝒳'],
    ['شكرا \u202bمرحبا\u202c'],
    ['<script>alert(1)</script> & "quotes"'],
    ['a\r\n\tb\u200bc'],
  ])('%j is unchanged', (text) => {
    expect(cleanText(text)).toBe(text);
  });

  test('of one megabyte stays complete', () => {
    expect(issueOf({ body: 'x'.repeat(1_000_000) }).description).toHaveLength(1_000_000);
  });
});

describe('a comment', () => {
  const comment = {
    id: 2_900_000_017,
    issue_url: 'https://git.example.com/api/v3/repos/acme/app/issues/12',
    created_at: '2024-01-02T03:04:05Z',
    updated_at: '2024-01-02T03:04:05Z',
  };

  test('without a reference to its issue is omitted', () => {
    expect(toComment(wireComment.parse({ ...comment, issue_url: 'https://github.com/' }))).toBeNull();
  });

  test('refers to its issue by the same id as the issue itself', () => {
    expect(toComment(wireComment.parse(comment))?.issueExternalId).toBe(issueOf({}).externalId);
  });
});

test.each([[{ archived: true }], [{ disabled: true }], [{ has_issues: false }]])(
  'a repository with %j is not a project',
  (flag) => {
    const wire = wireRepository.parse({ id: 1, name: 'app', full_name: 'acme/app', ...flag });
    expect(toProject(wire)).toBeNull();
  },
);
