/**
 * Returns one line of a CSV file (RFC 4180). A cell that a spreadsheet would run as a formula gets
 * a leading apostrophe.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
