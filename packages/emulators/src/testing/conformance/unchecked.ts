import { appendFileSync } from 'node:fs';

/** File to which each message without an official description adds a line. `npm test` sets it. */
const file = process.env.UNCHECKED_MESSAGES_FILE;

/** Counts an exchange that could not be compared with the official description of `api`. */
export function countUnchecked(api: string): void {
  if (file !== undefined) appendFileSync(file, `${api}\n`);
}
