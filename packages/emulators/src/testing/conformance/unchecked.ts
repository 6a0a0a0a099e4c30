import { appendFileSync } from 'node:fs';

/**
 * Path of a file that gets a line for each exchange that no official API description covers. Set by
 * `npm test`.
 */
const file = process.env.UNCHECKED_MESSAGES_FILE;

/** Counts an exchange that could not be compared with the official description of `api`. */
export function countUnchecked(api: string): void {
  if (file !== undefined) appendFileSync(file, `${api}\n`);
}
