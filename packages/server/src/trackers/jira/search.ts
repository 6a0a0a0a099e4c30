import { z } from 'zod';
import { OutboundTooLarge } from '../../platform/outbound/outbound-errors.ts';
import { type ProviderProject, TrackerError } from '../provider.ts';
import type { RestCall } from '../rest/client.ts';
import { malformed } from '../rest/failures.ts';
import { readAs } from '../rest/read.ts';
import { responseTimeOf } from '../rest/response-time.ts';
import { get, orNull, projectSubject, type Site } from './site.ts';

/** First page of a search. */
export interface Found {
  issues: unknown[];
  more: boolean;
  /** Total number of issues found. Null on Cloud, which does not report the number. */
  total: number | null;
  answeredAt: Date | null;
}

export interface Search {
  jql: string;
  fields: readonly string[];
  /** Keys of the issue properties that Jira returns as well. */
  properties?: readonly string[];
  size: number;
  project: ProviderProject;
}

const cloudPage = z.object({
  issues: z.array(z.unknown()),
  nextPageToken: z.string().nullish(),
  isLast: z.boolean().nullish(),
});
const serverPage = z.object({ issues: z.array(z.unknown()), total: z.int() });
/**
 * Page sizes to try if a response is too large. The smallest is two: each page repeats the last
 * issue of the previous page, so a page of one issue would make no progress.
 */
const REDUCED_PAGE_SIZES = [10, 2];
/** Maximum empty pages in a row. With more empty pages, the response counts as malformed. */
const MAX_EMPTY_PAGES = 20;

/**
 * Returns the first page of a search. Uses a smaller page size if the response exceeds the size
 * limit.
 * @throws {TrackerError} `not_found` if the project is gone or hidden from the token
 */
export async function searchFirst(site: Site, search: Search, signal: AbortSignal): Promise<Found> {
  for (const size of [search.size, ...REDUCED_PAGE_SIZES.filter((smaller) => smaller < search.size)]) {
    try {
      return await firstPage(site, { ...search, size }, signal);
    } catch (error) {
      const isTooLarge = error instanceof TrackerError && error.cause instanceof OutboundTooLarge;
      if (!isTooLarge || size === REDUCED_PAGE_SIZES.at(-1)) throw error;
    }
  }
  throw malformed(site.address.name, projectSubject(search.project));
}

function firstPage(site: Site, search: Search, signal: AbortSignal): Promise<Found> {
  return explained(site, search.project, signal, () =>
    site.address.isCloud ? cloudFirst(site, search, signal) : serverPageAt(site, search, 0, signal),
  );
}

/** Returns all results of a search. Use it only for a search with few results. */
export function searchAll(site: Site, search: Search, signal: AbortSignal): Promise<unknown[]> {
  return explained(site, search.project, signal, async () => {
    const issues: unknown[] = [];
    let token: string | null = null;
    for (;;) {
      const page: Found & { token?: string | null } = site.address.isCloud
        ? await cloudPageAt(site, search, token, signal)
        : await serverPageAt(site, search, issues.length, signal);
      issues.push(...page.issues);
      token = page.token ?? null;
      if (!page.more) return issues;
    }
  });
}

/** Returns the number of issues of a project. The number is approximate on Cloud. */
export function countIssues(
  site: Site,
  project: ProviderProject,
  jql: string,
  signal: AbortSignal,
): Promise<number | null> {
  const { client, address } = site;
  const subject = projectSubject(project);
  return explained(site, project, signal, async () => {
    if (!address.isCloud)
      return (await serverPageAt(site, { jql, fields: [], size: 0, project }, 0, signal)).total;
    const call: RestCall = { method: 'POST', path: '/search/approximate-count', body: { jql }, subject };
    const answer = await client.call(call, signal);
    return readAs(z.object({ count: z.int() }), answer.data, address.name, subject).count;
  });
}

/**
 * Returns the first page that contains issues, or the last page if none does. Cloud returns empty
 * pages for issues that the token cannot see.
 */
async function cloudFirst(site: Site, search: Search, signal: AbortSignal): Promise<Found> {
  let page = await cloudPageAt(site, search, null, signal);
  for (let empty = 0; page.more && page.issues.length === 0 && empty < MAX_EMPTY_PAGES; empty += 1) {
    page = await cloudPageAt(site, search, page.token, signal);
  }
  if (page.more && page.issues.length === 0)
    throw malformed(site.address.name, projectSubject(search.project));
  return page;
}

async function cloudPageAt(
  site: Site,
  search: Search,
  token: string | null,
  signal: AbortSignal,
): Promise<Found & { token: string | null }> {
  const query = {
    jql: search.jql,
    fields: search.fields.join(','),
    maxResults: String(search.size),
    ...(search.properties === undefined ? {} : { properties: search.properties.join(',') }),
    ...(token === null ? {} : { nextPageToken: token }),
  };
  const call: RestCall = {
    method: 'GET',
    path: '/search/jql',
    query,
    subject: projectSubject(search.project),
  };
  const answer = await site.client.call(call, signal);
  const page = readAs(cloudPage, answer.data, site.address.name, call.subject);
  const next = page.isLast === true ? null : (page.nextPageToken ?? null);
  return {
    issues: page.issues,
    more: next !== null,
    token: next,
    total: null,
    answeredAt: responseTimeOf(answer.headers),
  };
}

async function serverPageAt(
  site: Site,
  search: Search,
  startAt: number,
  signal: AbortSignal,
): Promise<Found> {
  const query = {
    jql: search.jql,
    fields: search.fields.join(','),
    startAt: String(startAt),
    maxResults: String(search.size),
    ...(search.properties === undefined ? {} : { properties: search.properties.join(',') }),
  };
  const call: RestCall = { method: 'GET', path: '/search', query, subject: projectSubject(search.project) };
  const answer = await site.client.call(call, signal);
  const { issues, total } = readAs(serverPage, answer.data, site.address.name, call.subject);
  const more = issues.length > 0 && startAt + issues.length < total;
  return { issues, more, total, answeredAt: responseTimeOf(answer.headers) };
}

/**
 * Runs `search`. If Jira refuses the query, checks if the project exists: Jira reports a missing or
 * inaccessible project only as a query error, in the user's language.
 */
async function explained<T>(
  site: Site,
  project: ProviderProject,
  signal: AbortSignal,
  search: () => Promise<T>,
): Promise<T> {
  try {
    return await search();
  } catch (error) {
    if (!(error instanceof TrackerError) || error.code !== 'invalid') throw error;
    const path = `/project/${encodeURIComponent(project.externalId)}`;
    const subject = projectSubject(project);
    const there = await orNull(get(site, z.object({ id: z.string() }), { path, subject }, signal));
    if (there !== null) throw error;
    const sentence = `${site.address.name} could not find ${subject}, or this token cannot access it.`;
    throw new TrackerError('not_found', sentence, { cause: error });
  }
}
