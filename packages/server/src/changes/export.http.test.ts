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

test('CSV has a row per step, is portable, and contains nothing that a spreadsheet would execute', async () => {
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

test('JSON lines have one change per line, as the ledger presents it', async () => {
  const { text } = await caller.call('GET', '/changes/export?format=jsonl');
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => changeSchema.strict().parse(JSON.parse(line)).id)).toEqual([proposalId]);
});

test('applies the filters of the list', async () => {
  expect(await rowsOf('?status=applied')).toEqual([]);
  expect(await rowsOf('?status=proposed&kind=resolution')).toHaveLength(2);
});

test('contains no change of another account', async () => {
  const stranger = await winnow.newCaller();
  const { text } = await stranger.call('GET', '/changes/export?format=jsonl');
  expect(text).toBe('');
});

/**
 * Copies the proposal into another account `count` times. Every three copies have the same creation
 * time, one microsecond after the previous three. Returns the ids, oldest first.
 */
async function copyProposal(accountId: string, count: number): Promise<string[]> {
  const { pool } = winnow.database;
  const { rows } = await pool.query<{ id: string }>(
    `with copy as (
       insert into change
       select (jsonb_populate_record(change, jsonb_build_object(
         'account_id', $1::uuid, 'id', gen_random_uuid(),
         'created_at', created_at + n / 3 * interval '1 microsecond'
       ))).*
       from change, generate_series(1, $2) n where id = $3
       returning id, created_at
     )
     select id from copy order by created_at, id`,
    [accountId, count, proposalId],
  );
  await pool.query(
    `insert into change_step
     select (jsonb_populate_record(step, jsonb_build_object(
       'account_id', $1::uuid, 'change_id', change.id, 'id', gen_random_uuid()
     ))).*
     from change, change_step step where change.account_id = $1 and step.change_id = $2`,
    [accountId, proposalId],
  );
  return rows.map(({ id }) => id);
}

test('contains every change once, beyond the size of one batch', async () => {
  const bulk = await winnow.newCaller();
  const made = await copyProposal(await bulk.accountId(), 250);
  const { text } = await bulk.call('GET', '/changes/export?format=jsonl');
  const exported = text
    .trimEnd()
    .split('\n')
    .map((line) => changeSchema.parse(JSON.parse(line)));
  expect(exported.map(({ id }) => id)).toEqual(made);
  expect(exported.every(({ steps }) => steps.length === 2)).toBe(true);
});
