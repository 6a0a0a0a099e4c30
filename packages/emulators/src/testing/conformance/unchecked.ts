import { appendFileSync } from 'node:fs';

/**
 * Path of a file that `npm test` provides. It gets one line per request that could not be compared
 * with a published API description.
 */
const file = process.env.UNCHECKED_MESSAGES_FILE;

/** Records that a request could not be compared with the published description of `api`. */
export function countUnchecked(api: string): void {
  if (file !== undefined) appendFileSync(file, `${api}\n`);
}
