import { z } from 'zod';
import { type Page, type ProviderProject, TrackerError } from '../provider.ts';
import { readAs, readCursor } from '../rest/read.ts';
import { searchFirst } from './search.ts';
import { projectClause, projectSubject, type Site } from './site.ts';

/** Page size. Jira returns up to 1,000 issues per page if only keys are requested. */
const PAGE_SIZE = 1000;
/**
 * Number of keys stored in the cursor. If the issue with the last key is deleted, reading continues
 * from an earlier key.
 */
const TAIL_KEYS = 5;

const wireKey = z.object({ id: z.string(), key: z.string() });
const stored = z.array(z.string());

/**
 * Returns a page of the ids of all issues of a project, in key order. Each page starts with the
 * last issue of the previous page.
 *
 * If that issue was deleted, Jira returns an empty page. An empty page is therefore not the end of
 * the listing; reading continues from an earlier key.
 */
export async function listIds(
  site: Site,
  project: ProviderProject,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<string>> {
  const keys = readKeys(cursor);
  const from = keys.at(-1);
  const clauses = [
    projectClause(project, site.address.name),
    ...(from === undefined ? [] : [`key >= "${from}"`]),
  ];
  const jql = `${clauses.join(' AND ')} ORDER BY key ASC`;
  const goOn = (
    next: readonly string[],
    items: string[],
    done: boolean,
    total: number | null,
  ): Page<string> => {
    return { items, cursor: JSON.stringify(next), done, total };
  };
  try {
    const found = await searchFirst(site, { jql, fields: ['key'], size: PAGE_SIZE, project }, signal);
    const issues = readAs(z.array(wireKey), found.issues, site.address.name, projectSubject(project));
    if (issues.length === 0 && from !== undefined) return goOn(keys.slice(0, -1), [], false, null);
    const next = [...keys, ...issues.map(({ key }) => key)].slice(-TAIL_KEYS);
    return goOn(
      next,
      issues.map(({ id }) => id),
      !found.more,
      from === undefined ? found.total : null,
    );
  } catch (error) {
    if (!(error instanceof TrackerError) || error.code !== 'invalid' || from === undefined) throw error;
    return goOn(keys.slice(0, -1), [], false, null);
  }
}

function readKeys(cursor: string | null): string[] {
  return readCursor(stored, [], cursor).filter((key) => /^[A-Za-z][A-Za-z0-9_]*-\d+$/.test(key));
}
