import { createHash } from 'node:crypto';
import { invalid } from '../platform/errors.ts';
import type { ToolCaller } from './tool.ts';

/** A list that is read page by page: the one who reads, and what was asked for. */
interface List {
  caller: Pick<ToolCaller, 'accountId'>;
  tool: string;
  /** The arguments. How many items are shown at once, and what of each, may differ from page to page. */
  asked: Record<string, unknown>;
}

const SEPARATOR = '.';

/** Where the next page begins; undefined when this is the last one. */
export function nextCursor(list: List, skip: number, shown: number, total: number): string | undefined {
  const next = skip + shown;
  return shown === 0 || next >= total ? undefined : `${next}${SEPARATOR}${fingerprint(list)}`;
}

/** How many items come before the page. @throws {AppError} 422 for a cursor of another list, or of another account's. */
export function skipOfCursor(list: List, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [skip = '', of] = cursor.split(SEPARATOR);
  if (/^\d{1,7}$/.test(skip) && of === fingerprint(list)) return Number(skip);
  throw invalid([{ path: 'cursor', message: 'This cursor belongs to another list. Ask without one first.' }]);
}

function fingerprint({ caller, tool, asked }: List): string {
  const { cursor: _, limit: __, fields: ___, with_steps: ____, ...same } = asked;
  const text = JSON.stringify([caller.accountId, tool, same]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
