import type { ReviewSummary } from '@winnow/contract/cluster';
import { csvLine } from '../platform/csv.ts';

const COLUMNS = ['cluster', 'status', 'issues', 'canonical', 'issues removed', 'decided by', 'decided at'];

/** Export formats of a review's summary, with content type and file name. */
export const REVIEW_EXPORTS = {
  markdown: { type: 'text/markdown; charset=utf-8', file: 'winnow-review.md', write: markdownOf },
  csv: { type: 'text/csv; charset=utf-8', file: 'winnow-review.csv', write: csvOf },
} as const;

function csvOf({ clusters }: ReviewSummary): string {
  return [COLUMNS, ...clusters.map(cellsOf)].map(csvLine).join('');
}

function markdownOf(summary: ReviewSummary): string {
  const { decided, dismissed, left, issues_removed: removed, minutes, clusters } = summary;
  const lines = [
    '# Review of the backlog',
    '',
    `- Clusters decided: ${decided}`,
    `- Clusters dismissed: ${dismissed}`,
    `- Clusters left: ${left}`,
    `- Issues removed from the backlog: ${removed}`,
    `- Minutes: ${minutes}`,
    '',
    ...[COLUMNS, COLUMNS.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |`),
    ...clusters.map((cluster) => `| ${cellsOf(cluster).map(escaped).join(' | ')} |`),
  ];
  return `${lines.join('\n')}\n`;
}

function cellsOf(cluster: ReviewSummary['clusters'][number]): string[] {
  return [
    cluster.name,
    cluster.status,
    `${cluster.size}`,
    cluster.canonical_key ?? '',
    `${cluster.issues_removed}`,
    cluster.decided_by,
    cluster.decided_at,
  ];
}

/**
 * Escapes characters that Markdown or HTML would interpret, because cluster names contain titles
 * written by third parties.
 */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|~!]/g, '\\$&').replace(/\s+/g, ' ');
}
