import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shortenMiddle, shortIssueKey, splitIssueKey } from './issue-key-parts.ts';

describe('an issue key', () => {
  test.each([
    ['owner/repo#12', 'owner/', 'repo', '#12'],
    ['group/sub/project!345', 'group/sub/', 'project', '!345'],
    ['PROJ-7', '', 'PROJ', '-7'],
    ['my-org/my-repo-2#9', 'my-org/', 'my-repo-2', '#9'],
    ['no number', '', 'no number', ''],
    ['', '', '', ''],
  ])('splits %s', (key, owner, project, number) => {
    expect(splitIssueKey(key)).toEqual({ owner, project, number });
  });

  test('keeps the number of a key at any length limit', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.integer({ min: -5, max: 12 }), (project, number, longest) => {
        expect(shortIssueKey(`owner/${project}#${number}`, longest).endsWith(`#${number}`)).toBe(true);
      }),
    );
  });

  test('drops the owner, then shortens the middle of the project', () => {
    expect(shortIssueKey('skua/sync#1840', 16)).toBe('sync#1840');
    expect(shortIssueKey('apache/hadoop-cloud-storage#7', 12)).toBe('hadoop…orage#7');
  });

  test('shortens a text above the limit to exactly the limit', () => {
    expect(shortenMiddle('sync', 4)).toBe('sync');
    expect(Array.from(shortenMiddle('a-rather-long-name', 9))).toHaveLength(9);
    expect(shortenMiddle('🦭🦭🦭🦭🦭', 4)).toBe('🦭🦭…🦭');
  });
});
