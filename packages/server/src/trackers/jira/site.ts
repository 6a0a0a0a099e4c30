import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { type IssueTarget, type ProviderProject, TrackerError } from '../provider.ts';
import type { RestCall, RestClient } from '../rest/client.ts';
import { readAs } from '../rest/read.ts';
import type { JiraAddress } from './address.ts';
import type { Dialect, WireUser } from './dialect.ts';
import { wireUser } from './dialect.ts';

/** Connection to one Jira site with one set of credentials. */
export interface Site {
  address: JiraAddress;
  client: RestClient;
  dialect: Dialect;
  /**
   * Returns the token's owner. The result is cached for only one minute, because the owner may
   * change the time zone, which affects queries.
   */
  myself(signal: AbortSignal): Promise<WireUser>;
}

const MYSELF_CACHE_MS = 60_000;

export function createSite(parts: Pick<Site, 'address' | 'client' | 'dialect'> & { clock: Clock }): Site {
  const { clock, ...site } = parts;
  let known: { user: WireUser; untilMs: number } | null = null;
  return {
    ...site,
    async myself(signal) {
      signal.throwIfAborted();
      const nowMs = clock.now().getTime();
      if (known !== null && nowMs < known.untilMs) return known.user;
      const user = await get(site, wireUser, { path: '/myself', subject: 'the owner of this token' }, signal);
      known = { user, untilMs: nowMs + MYSELF_CACHE_MS };
      return user;
    },
  };
}

/** Sends a GET request and parses the response with the schema. */
export async function get<T>(
  { client }: Pick<Site, 'client'>,
  schema: z.ZodType<T>,
  call: Omit<RestCall, 'method'>,
  signal: AbortSignal,
): Promise<T> {
  const answer = await client.call({ ...call, method: 'GET' }, signal);
  return readAs(schema, answer.data, client.address.name, call.subject);
}

/** Waits for a call. Returns null if Jira responds that the object was not found. */
export async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof TrackerError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Returns all items of a short listing whose pages are requested by `startAt`. */
export async function readAll<T>(
  site: Site,
  schema: z.ZodType<{ items: T[]; total: number | null }>,
  call: Omit<RestCall, 'method'>,
  signal: AbortSignal,
): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const query = { ...call.query, startAt: String(items.length), maxResults: '100' };
    const page = await get(site, schema, { ...call, query }, signal);
    items.push(...page.items);
    if (page.items.length === 0 || page.total === null || items.length >= page.total) return items;
  }
}

/** Returns the schema of a page that contains its items under one of these names. */
export function pageOf<T>(
  item: z.ZodType<T>,
  ...names: readonly string[]
): z.ZodType<{ items: T[]; total: number | null }> {
  return z.record(z.string(), z.unknown()).transform((page, context) => {
    const name = names.find((candidate) => candidate in page);
    const items = z.array(item).safeParse(name === undefined ? undefined : page[name]);
    if (items.success)
      return { items: items.data, total: typeof page.total === 'number' ? page.total : null };
    context.addIssue({ code: 'custom', message: items.error.message });
    return z.NEVER;
  });
}

export function issuePath({ externalId }: IssueTarget): string {
  return `/issue/${encodeURIComponent(externalId)}`;
}

export function subjectOf({ key }: IssueTarget): string {
  return `the issue ${key}`;
}

export function projectSubject({ identifier }: ProviderProject): string {
  return `the project ${identifier}`;
}

/**
 * Returns the JQL condition for a project. Uses the project's id, since its key may change.
 * @throws {TrackerError} `not_found` if the external id is not a number
 */
export function projectClause(project: ProviderProject, name: string): string {
  if (/^\d+$/.test(project.externalId)) return `project = ${project.externalId}`;
  throw new TrackerError('not_found', `${name} could not find ${projectSubject(project)}.`);
}
