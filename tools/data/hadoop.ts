import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { connectedGroups, type LabelledSet } from './labelled-set.ts';

/** An Apache Hadoop report of the GitBugs data set. Times are milliseconds since 1970 (UTC). */
export interface HadoopReport {
  id: string;
  title: string;
  /** Description in the original Jira wiki markup. */
  body: string;
  createdAt: number;
  resolvedAt: number | null;
  status: string;
  priority: string;
  /** Resolution of the report. Empty if the report is unresolved. */
  resolution: string;
  affectsVersions: string;
}

const FOLDER = new URL('../../../shared/data/gitbugs/', import.meta.url);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Returns the Hadoop reports, sorted by creation time and id, and clusters of duplicates.
 * A cluster contains the ids of all reports that are connected by duplicate labels. Null if the
 * data set is missing.
 *
 * @throws {Error} if a file is invalid
 */
export async function loadHadoop(): Promise<{ reports: HadoopReport[]; clusters: string[][] } | null> {
  const reportText = await readIfPresent('hadoop_bugs.csv');
  const labelText = await readIfPresent('hadoop_bugs-combined.csv');
  if (reportText === null || labelText === null) return null;
  const reports = rows(reportText).map(toReport);
  reports.sort((a, b) => a.createdAt - b.createdAt || Number(a.id) - Number(b.id));
  const known = new Set(reports.map((report) => report.id));
  const links = rows(labelText).flatMap((row) =>
    field(row, 'Duplicate id')
      .split(',')
      .map((id): [string, string] => [field(row, 'Issue id').trim(), id.trim()]),
  );
  return { reports, clusters: clustersOf(links.filter(([a, b]) => known.has(a) && known.has(b))) };
}

/**
 * Returns the Hadoop reports as a labelled set without authors. Null if the data set is missing.
 */
export async function hadoopSet(): Promise<LabelledSet | null> {
  const data = await loadHadoop();
  if (data === null) return null;
  const issues = data.reports.map(({ id, title, body, createdAt, resolvedAt }) => ({
    id,
    title,
    body,
    author: null,
    createdAt,
    closedAt: resolvedAt,
  }));
  return { issues, groups: data.clusters };
}

/**
 * Parses a time of the data set, such as `30/Sep/21 17:20`. Returns milliseconds since 1970 (UTC).
 *
 * @throws {Error} for any other format
 */
export function parseHadoopDate(text: string): number {
  const match = /^(\d{1,2})\/([A-Z][a-z]{2})\/(\d{2}) (\d{2}):(\d{2})$/.exec(text.trim());
  const month = MONTHS.indexOf(match?.[2] ?? '');
  if (match === null || month < 0) throw new Error(`Not a time of the Hadoop data set: "${text}".`);
  return Date.UTC(2000 + Number(match[3]), month, Number(match[1]), Number(match[4]), Number(match[5]));
}

async function readIfPresent(name: string): Promise<string | null> {
  try {
    return await readFile(new URL(name, FOLDER), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function rows(text: string): Record<string, string>[] {
  return parse<Record<string, string>>(text, { columns: true, bom: true });
}

function field(row: Record<string, string>, name: string): string {
  const value = row[name];
  if (value === undefined) throw new Error(`The Hadoop data set has no column "${name}".`);
  return value;
}

function toReport(row: Record<string, string>): HadoopReport {
  const resolved = field(row, 'Resolved').trim();
  return {
    id: field(row, 'Issue id').trim(),
    title: field(row, 'Summary'),
    body: field(row, 'Description'),
    createdAt: parseHadoopDate(field(row, 'Created')),
    resolvedAt: resolved === '' ? null : parseHadoopDate(resolved),
    status: field(row, 'Status'),
    priority: field(row, 'Priority'),
    resolution: field(row, 'Resolution'),
    affectsVersions: field(row, 'Affects Version/s'),
  };
}

const clustersOf = (links: readonly (readonly [string, string])[]): string[][] =>
  connectedGroups(links)
    .map((ids) => ids.sort())
    .sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
