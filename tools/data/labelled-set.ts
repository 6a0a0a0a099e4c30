import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';

/** An issue of a labelled set. Times are milliseconds since 1970. */
export interface LabelledIssue {
  id: string;
  title: string;
  body: string;
  author: string | null;
  createdAt: number;
  /** Time at which the issue was closed. Null for an open issue. */
  closedAt: number | null;
}

/** Issues in order of creation, and groups of issues labelled as duplicates. */
export interface LabelledSet {
  issues: LabelledIssue[];
  /** Groups of issue ids that duplicate labels connect, directly or through other issues. */
  groups: string[][];
}

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const issueSchema = z
  .object({
    number: z.union([z.number(), z.string()]),
    title: z.string(),
    body: z.string().nullish(),
    author: z.string().nullish(),
    created: time,
    closed: time.nullish(),
  })
  .transform(({ number, title, body, author, created, closed }) => ({
    id: String(number),
    title,
    body: body ?? '',
    author: author ?? null,
    createdAt: created,
    closedAt: closed ?? null,
  }));
const labelSchema = z
  .object({ issue: z.union([z.number(), z.string()]), of: z.union([z.number(), z.string()]) })
  .transform(({ issue, of }): [string, string] => [String(issue), String(of)]);

/**
 * Reads `issues.jsonl.gz` and `duplicates.jsonl` from a folder. Ignores labels of unknown issues.
 *
 * @throws {Error} that names the file and line, if a file is missing or a line is invalid
 */
export async function readLabelledSet(folder: string): Promise<LabelledSet> {
  const issues = await readLines(join(folder, 'issues.jsonl.gz'), issueSchema);
  issues.sort((a, b) => a.createdAt - b.createdAt || a.id.localeCompare(b.id, 'en', { numeric: true }));
  const known = new Set(issues.map(({ id }) => id));
  const labels = await readLines(join(folder, 'duplicates.jsonl'), labelSchema);
  return { issues, groups: connectedGroups(labels.filter((pair) => pair.every((id) => known.has(id)))) };
}

/** Returns the connected components of a graph, given by its edges. */
export function connectedGroups(edges: readonly (readonly [string, string])[]): string[][] {
  const groupOf = new Map<string, string[]>();
  for (const [a, b] of edges) {
    const [first, second] = [groupOf.get(a) ?? [a], groupOf.get(b) ?? [b]];
    if (first === second) continue;
    const merged = [...first, ...second];
    for (const id of merged) groupOf.set(id, merged);
  }
  return [...new Set(groupOf.values())];
}

async function readLines<Row>(path: string, schema: z.ZodType<Row>): Promise<Row[]> {
  if (!existsSync(path)) throw new Error(`${path} does not exist.`);
  const content = await readFile(path);
  const text = (path.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8');
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const row = schema.safeParse(parseJson(line));
    if (row.success) return [row.data];
    throw new Error(`${path}, line ${index + 1}: ${z.prettifyError(row.error)}`);
  });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
