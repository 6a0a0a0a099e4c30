import type { ExportFormat } from '@winnow/contract/change';
import { csvLine } from '../platform/csv.ts';
import { presentChange } from './present.ts';
import type { ChangeRecord } from './store.ts';

const COLUMNS = [
  'change_id',
  'kind',
  'status',
  'title',
  'rationale',
  'asked_by_type',
  'asked_by',
  'asked_at',
  'decided_by',
  'decided_at',
  'retried_by',
  'undoes',
  'undone_by',
  'step',
  'action',
  'issue',
  'tracker',
  'before',
  'after',
  'step_status',
  'error',
  'applied_at',
] as const;

type Export = { type: string; lines: (records: AsyncIterable<ChangeRecord>) => AsyncIterable<string> };

/**
 * Export formats for audits: CSV (RFC 4180) with one row per step, or JSON with one change per
 * line.
 */
export const EXPORTS: Record<ExportFormat, Export> = {
  csv: { type: 'text/csv; charset=utf-8', lines: csvLines },
  jsonl: { type: 'application/jsonl; charset=utf-8', lines: jsonLines },
};

async function* jsonLines(records: AsyncIterable<ChangeRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(presentChange(record))}\n`;
}

async function* csvLines(records: AsyncIterable<ChangeRecord>): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const record of records) {
    const change = presentChange(record);
    for (const [index, step] of change.steps.entries()) {
      yield csvLine([
        change.id,
        change.kind,
        change.status,
        change.title,
        change.rationale,
        change.actor.type,
        change.actor.name,
        change.created_at,
        change.decided_by,
        change.decided_at,
        change.retried_by,
        change.undoes,
        change.undone_by,
        String(index + 1),
        step.action,
        step.target_key,
        step.target_tracker?.name ?? null,
        JSON.stringify(step.before),
        JSON.stringify(step.after),
        step.status,
        step.error,
        step.applied_at,
      ]);
    }
  }
}
