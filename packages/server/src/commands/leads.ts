import { HEADCOUNTS, LEAD_TRACKERS, type Lead } from '@winnow/contract/lead';
import { listLeads } from '../leads/service.ts';
import { command } from './command.ts';
import { withDatabase } from './with-database.ts';

/** Prints everybody who asked for a demo, the newest first. */
export const printLeads = command({
  name: 'leads',
  synopsis: 'leads [--json]',
  summary: 'List who asked for a demo, the newest first, as a table or as JSON',
  takes: { operands: [], options: { json: { type: 'boolean' } } },
  async run(config, { values }) {
    const leads = await withDatabase(config, ({ db }) => listLeads(db));
    process.stdout.write(values.json ? json(leads) : table(leads));
    return 0;
  },
});

function json(leads: readonly Lead[]): string {
  const text = JSON.stringify(leads, null, 2);
  // JSON itself escapes only some of the characters that a terminal takes for orders.
  return `${text.replace(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)}\n`;
}

const HEADINGS = ['Received (UTC)', 'Name', 'E-mail', 'Role', 'Organization', 'Headcount', 'Trackers'];

/** One line for each, and what they added below it. */
function table(leads: readonly Lead[]): string {
  if (leads.length === 0) return 'Nobody has asked for a demo yet.\n';
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

/** Strangers wrote this: what a terminal would take for an order is a space. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
