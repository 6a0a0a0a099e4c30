import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { connectedGroups, type LabelledSet } from './labelled-set.ts';

/** One Apache Hadoop report of the GitBugs data set, times in milliseconds since 1970 (UTC). */
export interface HadoopReport {
  id: string;
  title: string;
  /** Jira wiki markup, as written. */
  body: string;
  createdAt: number;
  resolvedAt: number | null;
  status: string;
  priority: string;
  /** Empty while unresolved. */
  resolution: string;
  affectsVersions: string;
}

const FOLDER = new URL('../../../shared/data/gitbugs/', import.meta.url);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The Hadoop reports sorted by creation time (then id), and the clusters of ids that the labels, closed transitively,
 * call duplicates of one another. Null when the data set is not beside the checkout.
 * @throws {Error} when a file is there but is not what it should be.
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

/** The reports as a labelled set; they name no authors. Null when the data set is not beside the checkout. */
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

/** Reads the data set's times, such as `30/Sep/21 17:20`, as UTC milliseconds. @throws {Error} on any other form. */
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
