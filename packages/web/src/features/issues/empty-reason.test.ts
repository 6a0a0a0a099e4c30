import { expect, test } from 'vitest';
import { emptyReason } from './empty-reason.ts';

const idle = { total: 0, projects: 3, working: false };

test('does not suggest to add a tracker while projects are loading or a job is running', () => {
  expect(emptyReason({ ...idle, projects: undefined })).toBe('no_match');
  expect(emptyReason({ ...idle, projects: 0, working: true })).toBe('working');
});

test('distinguishes missing projects, no match, and a page past the end', () => {
  expect(emptyReason({ ...idle, projects: 0 })).toBe('no_projects');
  expect(emptyReason(idle)).toBe('no_match');
  expect(emptyReason({ ...idle, total: 12, working: true })).toBe('past_the_end');
});
