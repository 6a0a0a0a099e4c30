import { expect, test } from 'vitest';
import { comparableAddress, isKeyOf } from './reference.ts';

test.each([
  ['#12', 'acme/app#12'],
  ['app#12', 'acme/app#12'],
  ['ACME/App#12', 'acme/app#12'],
  ['!7', 'group/sub/app!7'],
  ['sub/app!7', 'group/sub/app!7'],
  ['proj-12', 'PROJ-12'],
])('%s names %s', (written, key) => {
  expect(isKeyOf(written, key)).toBe(true);
});

test.each([
  ['#12', 'acme/app#112'],
  ['#12', 'acme/app!12'],
  ['pp#12', 'acme/app#12'],
  ['J-12', 'PROJ-12'],
])('%s does not name %s', (written, key) => {
  expect(isKeyOf(written, key)).toBe(false);
});

test.each([
  ['https://github.com/acme/app/issues/12#issuecomment-3', 'https://github.com/acme/app/issues/12'],
  ['https://GitHub.com/Acme/app/pull/12/?tab=files', 'https://github.com/acme/app/issues/12'],
  ['https://gitlab.com/g/s/app/-/work_items/3', 'https://gitlab.com/g/s/app/-/issues/3'],
  ['https://acme.atlassian.net/browse/PROJ-12?focus=1', 'https://acme.atlassian.net/browse/PROJ-12'],
  ['https://github.com/acme/app/pull/12/files', 'https://github.com/acme/app/issues/12'],
  ['https://gitlab.com/g/s/app/-/merge_requests/3/diffs#x', 'https://gitlab.com/g/s/app/-/merge_requests/3'],
  [
    'https://acme.atlassian.net/jira/software/projects/PROJ/issues/PROJ-12',
    'https://acme.atlassian.net/browse/PROJ-12',
  ],
  [
    'https://acme.atlassian.net/jira/software/c/projects/PROJ/boards/4?selectedIssue=PROJ-12',
    'https://acme.atlassian.net/browse/PROJ-12',
  ],
  ['https://acme.example/jira/browse/PROJ-12', 'https://acme.example/jira/browse/PROJ-12'],
])('%s is the URL of %s', (written, url) => {
  expect(comparableAddress(written)).toBe(comparableAddress(url));
});

test('a text that is not a URL equals no URL', () => {
  expect([comparableAddress(''), comparableAddress('http://')]).toEqual(['', '']);
});
