import { csvLine } from '../../platform/csv.ts';
import type { ExportedUsage } from './usage.ts';

const COLUMNS = [
  'kind',
  'date',
  'endpoint',
  'method',
  'key_name',
  'count',
  'errors',
  'p50_ms',
  'p95_ms',
  'model',
  'feature',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'unpriced_calls',
] as const;
type CsvRow = Partial<Record<(typeof COLUMNS)[number], string | number | null>>;

/**
 * Exports usage as CSV. Rows of kind `api` are API requests; rows of kind `ai` are calls of
 * language models.
 */
export async function* usageCsv(rows: AsyncIterable<ExportedUsage>): AsyncGenerator<string> {
  yield csvLine([...COLUMNS]);
  for await (const row of rows) {
    const line = csvRowOf(row);
    yield csvLine(COLUMNS.map((column) => String(line[column] ?? '')));
  }
}

function csvRowOf(row: ExportedUsage): CsvRow {
  if ('day' in row) return { ...row, kind: 'api', date: row.day };
  const { calls, failed, cost, unpriced_calls } = row;
  // If only some calls have a known price, the row reports their cost. If none has, the cost is
  // null.
  const known = calls > 0 && unpriced_calls === calls ? null : cost;
  return { ...row, kind: 'ai', count: calls, errors: failed, cost_usd: known };
}
