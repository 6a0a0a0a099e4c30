import { HEADCOUNTS, LEAD_TRACKERS, type Lead } from '@winnow/contract/lead';
import { listLeads } from '../leads/service.ts';
import { command } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Prints all demo requests, the newest first. */
export const printLeads = command({
  name: 'leads',
  synopsis: 'leads [--json]',
  summary: 'List demo requests, the newest first, as a table or as JSON',
  takes: { operands: [], options: { json: { type: 'boolean' } } },
  async run(config, { values }) {
    const leads = await withDatabase(config, ({ db }) => listLeads(db));
    process.stdout.write(values.json ? json(leads) : table(leads));
    return 0;
  },
});

function json(leads: readonly Lead[]): string {
  const text = JSON.stringify(leads, null, 2);
  // Escapes control characters that JSON.stringify does not escape and that a terminal would
  // interpret.
  return `${text.replace(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)}\n`;
}

const HEADINGS = ['Received (UTC)', 'Name', 'Email', 'Role', 'Organization', 'Headcount', 'Trackers'];

/** Formats one line per demo request, with its comments below. */
function table(leads: readonly Lead[]): string {
  if (leads.length === 0) return 'There are no demo requests yet.\n';
  const rows = leads.map((lead) => ({
    cells: [
      lead.created_at.slice(0, 16).replace('T', ' '),
      lead.name,
      lead.email,
      lead.role,
      lead.org,
      HEADCOUNTS[lead.headcount],
      lead.trackers.map((tracker) => LEAD_TRACKERS[tracker]).join(', '),
    ].map(printable),
    comments: lead.comments,
  }));
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `${cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()}\n`;
  return (
    line(HEADINGS) +
    rows.map(({ cells, comments }) => line(cells) + (comments === null ? '' : indented(comments))).join('')
  );
}

function indented(comments: string): string {
  return comments
    .split(/\r\n|[\r\n]/)
    .map((text) => `    ${printable(text)}\n`)
    .join('');
}

/**
 * Replaces control characters with spaces. Visitors wrote the text, and a terminal would interpret
 * them.
 */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
