/** Formats a number of rows, with the word in singular or plural. */
export function formatRows(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
}

/** Prints the number of rows of a processed table, unless the table is empty. */
export function printTableRows(table: string, count: number): void {
  if (count > 0) process.stderr.write(`${table}: ${formatRows(count)}\n`);
}
