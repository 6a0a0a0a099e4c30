/** A number of rows in words. */
export function rowsInWords(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
}

/** Tells the operator of a table that is done, unless there is nothing in it. */
export function sayTable(table: string, count: number): void {
  if (count > 0) process.stderr.write(`${table}: ${rowsInWords(count)}\n`);
}
