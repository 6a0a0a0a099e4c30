import { describe, expect, test } from 'vitest';
import {
  chartPercent,
  countText,
  pendingText,
  suggestionsCount,
  topProjects,
  wholePercent,
} from './numbers.ts';

const PROJECT = '6a1f3c52-0c1b-4b66-9d3f-0f3a5c0e7a11';

test('counts suggestions up to 100, and shows more as 100+', () => {
  expect([0, 7, 100, 101, 1_001].map(suggestionsCount)).toEqual(['0', '7', '100', '100+', '100+']);
});

describe('projects', () => {
  const project = (project_name: string, duplicates: number, total: number) => ({
    project_id: PROJECT,
    project_name,
    duplicates,
    total,
  });

  test('omits projects without similar issues', () => {
    expect(topProjects([project('docs', 0, 10)])).toEqual([]);
  });

  test('returns the five projects with the most similar issues, and sorts equal ones by name', () => {
    const names = topProjects([
      project('a', 1, 9),
      project('b', 4, 9),
      project('f', 2, 9),
      project('c', 2, 9),
      project('d', 3, 9),
      project('e', 9, 9),
    ]).map(({ name }) => name);
    expect(names).toEqual(['e', 'b', 'd', 'c', 'f']);
  });

  test('limits the share of similar issues to 100%, even if their number exceeds the total', () => {
    expect(topProjects([project('sync', 148, 1204)])[0]).toMatchObject({ similar: 148, unique: 1056 });
    expect(topProjects([project('odd', 3, 2)])[0]).toMatchObject({ unique: 0, share: 1 });
  });
});

test('formats numbers with thousands separators and percent signs', () => {
  expect(countText(18406)).toBe('18,406');
  expect(wholePercent(0.9412)).toBe('94%');
  expect([0, 0.001, 0.5, 0.999, 1].map(chartPercent)).toEqual(['0%', '<1%', '50%', '99%', '100%']);
});

test('states that an empty list is incomplete until all issues have been compared', () => {
  const text = (total_issues: number, total_processed: number, syncing = false) =>
    pendingText({ total_issues, total_processed, notice: null }, syncing);
  expect(text(155, 0)).toBe('No similar issues yet: 155 issues are still to be compared.');
  expect(text(155, 154)).toBe('No similar issues yet: 1 issue is still to be compared.');
  expect(text(0, 0, true)).toBe('No similar issues yet: the first issues are being read.');
  expect([text(0, 0), text(155, 155), text(155, 155, true)]).toEqual([null, null, null]);
});
