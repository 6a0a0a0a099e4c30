import { change as changeSchema } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import { tracker } from '@winnow/contract/tracker';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

let winnow: RunningWinnow;
let caller: Caller;
let proposalId: string;

beforeAll(async () => {
  winnow = await startWinnow();
  caller = await winnow.newCaller();
  await caller.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  const [pair] = await eventually(async () => {
    const { duplicates } = await caller.get('/issue-duplicates?resolution=unresolved', pairList);
    return duplicates.length > 0 && duplicates;
  });
  const payload = {
    issue1_id: pair?.issue1.id,
    issue2_id: pair?.issue2.id,
    resolution: 'deconflict',
    resulting_issue_1_title: '=HYPERLINK("https://evil.example","look")',
    resulting_issue_2_description: 'One line,\nanother "line".',
    reason: '@everybody, look',
  };
  const path = '/issue-duplicates/propose-resolution';
  proposalId = (await caller.send('PATCH', path, payload, changeSchema)).id;
});
afterAll(() => winnow.close());

async function rowsOf(query: string): Promise<Record<string, string>[]> {
  const { text } = await caller.call('GET', `/changes/export${query}`);
  return z.array(z.record(z.string(), z.string())).parse(parse(text, { columns: true }));
}

test('CSV has a row for each step, readable by others, and nothing that a spreadsheet would run', async () => {
  const answer = await caller.call('GET', '/changes/export');
  expect(answer.headers.get('content-type')).toContain('text/csv');
  expect(answer.headers.get('content-disposition')).toContain('winnow-changes.csv');
  const rows = await rowsOf('');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({
    change_id: proposalId,
    status: 'proposed',
    rationale: "'@everybody, look",
  });
  const after = rows.map((row) => JSON.parse(row.after ?? ''));
  expect(after).toEqual([
    { title: '=HYPERLINK("https://evil.example","look")' },
    { description: 'One line,\nanother "line".' },
  ]);
  expect(answer.text).not.toMatch(/(^|,)"?[=+\-@]/m);
});

test('JSON lines have a change on each line, as the ledger shows it', async () => {
  const { text } = await caller.call('GET', '/changes/export?format=jsonl');
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => changeSchema.strict().parse(JSON.parse(line)).id)).toEqual([proposalId]);
});

test('takes the filters of the list', async () => {
  expect(await rowsOf('?status=applied')).toEqual([]);
  expect(await rowsOf('?status=proposed&kind=resolution')).toHaveLength(2);
});

test('holds no change of another account', async () => {
  const stranger = await winnow.newCaller();
  const { text } = await stranger.call('GET', '/changes/export?format=jsonl');
  expect(text).toBe('');
});

test('has every change once, also more than are read at a time', async () => {
  const bulk = await winnow.newCaller();
  await bulk.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  const { duplicates } = await eventually(async () => {
    const list = await bulk.get('/issue-duplicates?resolution=unresolved&limit=100&status=all', pairList);
    return list.duplicates.length > 20 && list;
  });
  const named = duplicates.map(({ issue1, issue2 }) => ({ issue1_id: issue1.id, issue2_id: issue2.id }));
  const made: string[] = [];
  while (made.length < 105) {
    for (const pair of named) {
      const path = '/issue-duplicates/propose-resolution';
      const { id } = await bulk.send('PATCH', path, { ...pair, resolution: 'unrelated' }, changeSchema);
      made.push(id);
      await bulk.send('POST', `/changes/${id}/reject`, undefined, changeSchema);
    }
  }
  const { text } = await bulk.call('GET', '/changes/export?format=jsonl');
  const exported = text
    .trimEnd()
    .split('\n')
    .map((line) => changeSchema.parse(JSON.parse(line)).id);
  expect(exported).toEqual(made);
});
