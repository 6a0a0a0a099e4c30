import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { connectedGroups, readLabelledSet } from './labelled-set.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(issues: readonly string[], duplicates: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-labelled-set-'));
  folders.push(folder);
  writeFileSync(join(folder, 'issues.jsonl.gz'), gzipSync(issues.join('\n')));
  writeFileSync(join(folder, 'duplicates.jsonl'), duplicates.join('\n'));
  return folder;
}

const line = (number: number, created: string) =>
  JSON.stringify({ number, title: `Issue ${number}`, body: null, author: 'ada', created, closed: null });

test('refuses a missing file, a broken line and a wrong field, and names the place', async () => {
  const valid = line(1, '2020-01-01T00:00:00Z');
  await expect(readLabelledSet('/nowhere')).rejects.toThrow('issues.jsonl.gz does not exist');
  await expect(readLabelledSet(folderWith([valid, '{'], []))).rejects.toThrow('issues.jsonl.gz, line 2');
  await expect(readLabelledSet(folderWith([valid], ['{"issue":1}']))).rejects.toThrow(
    'duplicates.jsonl, line 1',
  );
});

test('returns issues in order of creation, and drops labels of unknown issues', async () => {
  const issues = [
    line(10, '2020-01-02T00:00:00Z'),
    line(9, '2020-01-01T00:00:00Z'),
    line(2, '2020-01-03T00:00:00Z'),
  ];
  const duplicates = ['{"issue":10,"of":9}', '{"issue":2,"of":10}', '{"issue":10,"of":77}'];
  const set = await readLabelledSet(folderWith(issues, duplicates));
  expect(set.issues.map(({ id }) => id)).toEqual(['9', '10', '2']);
  expect(set.issues[0]).toMatchObject({ body: '', author: 'ada', closedAt: null });
  expect(set.groups.map((group) => group.sort())).toEqual([['10', '2', '9']]);
});

test('returns connected components as groups', () => {
  const groups = connectedGroups([
    ['a', 'b'],
    ['c', 'd'],
    ['b', 'c'],
    ['e', 'f'],
  ]);
  expect(groups.map((group) => group.sort().join('')).sort()).toEqual(['abcd', 'ef']);
});
