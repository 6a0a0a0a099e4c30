import { appendFileSync } from 'node:fs';

/** File named by `npm test`. Every message without an official description adds a line to it. */
const file = process.env.UNCHECKED_MESSAGES_FILE;

/** Counts a message that could not be compared with the official description of `api`. */
export function countUnchecked(api: string): void {
  if (file !== undefined) appendFileSync(file, `${api}\n`);
}
