import { createHash } from 'node:crypto';
import { invalid } from '../platform/errors.ts';
import type { ToolCaller } from './tool.ts';

/** Identifies a paginated list by the account, the tool and the arguments of the call. */
interface List {
  caller: Pick<ToolCaller, 'accountId'>;
  tool: string;
  /**
   * Arguments of the call, except page size and returned fields: these may differ between pages.
   */
  asked: Record<string, unknown>;
}

const SEPARATOR = '.';

/** Returns the cursor of the next page. Undefined on the last page. */
export function nextCursor(list: List, skip: number, shown: number, total: number): string | undefined {
  const next = skip + shown;
  return shown === 0 || next >= total ? undefined : `${next}${SEPARATOR}${fingerprint(list)}`;
}

/**
 * Returns the number of items on the pages before the cursor.
 * @throws {AppError} `invalid` if the cursor belongs to another list or another account
 */
export function skipOfCursor(list: List, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [skip = '', of] = cursor.split(SEPARATOR);
  if (/^\d{1,7}$/.test(skip) && of === fingerprint(list)) return Number(skip);
  throw invalid([
    { path: 'cursor', message: 'This cursor belongs to another list. Start without a cursor.' },
  ]);
}

function fingerprint({ caller, tool, asked }: List): string {
  const { cursor: _, limit: __, fields: ___, with_steps: ____, ...same } = asked;
  const text = JSON.stringify([caller.accountId, tool, same]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
