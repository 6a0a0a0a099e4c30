import { isObject } from '../http/json.ts';
import { type Call, canSee, integer, list, type Reply, type Route, userOf } from './call.ts';
import { JiraError } from './jira-error.ts';
import { search } from './jql.ts';
import type { Issue } from './model.ts';
import { presentIssue } from './present.ts';

const tokenLifeMs = 7 * 86_400_000;

function found(call: Call, jql: string): Issue[] {
  const { store, user } = call;
  // Anonymous callers may search, but they find no issues.
  const asking = user ?? { ...anonymousUser, timeZone: 'Etc/UTC' };
  return search(store, asking, jql, (project) => canSee(call, project));
}

const anonymousUser = {
  name: '',
  accountId: '',
  displayName: '',
  email: '',
  timeZone: 'Etc/UTC',
  assignable: false,
  administrator: false,
};

/**
 * Searches on Cloud. The next page is requested with a token, and there is no total. If the order
 * of issues changes between two requests, issues may be skipped or repeated, like in Jira.
 */
function searchByToken(call: Call): Reply {
  const { query, store, view } = call;
  const jql = query.get('jql') ?? '';
  const fields = list(query, 'fields') ?? ['id'];
  const isSlim = fields.every((name) => name === 'id' || name === 'key');
  const size = Math.max(1, Math.min(isSlim ? 5000 : 100, integer(query, 'maxResults', 50)));
  const all = found(call, jql);
  const from = startOf(query.get('nextPageToken'), jql, store.now());
  const page = all.slice(from, from + size);
  const isLast = from + size >= all.length;
  const wanted = { fields, properties: list(query, 'properties') ?? [], changelog: false, isSearch: true };
  const issues = page.map((issue) => {
    const shown = presentIssue(view, issue, wanted);
    return isSlim && !fields.includes('key') ? { id: shown.id } : shown;
  });
  const token = Buffer.from(JSON.stringify({ at: from + size, jql, ms: store.now() })).toString('base64url');
  return { status: 200, body: { issues, isLast, ...(isLast ? {} : { nextPageToken: token }) } };
}

function startOf(token: string | null, jql: string, nowMs: number): number {
  if (token === null) return 0;
  const bad = new JiraError(400, ['The provided next page token is invalid or expired.']);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    throw bad;
  }
  if (!isObject(value) || value.jql !== jql || typeof value.at !== 'number') throw bad;
  if (typeof value.ms !== 'number' || value.ms + tokenLifeMs < nowMs) throw bad;
  return value.at;
}

/** Searches on Data Center. A page is requested by its first index, and there is a total. */
function searchByNumber(call: Call): Reply {
  const { query, view } = call;
  userOf(call);
  const startAt = integer(query, 'startAt', 0);
  const maxResults = Math.min(1000, integer(query, 'maxResults', 50));
  const all = found(call, query.get('jql') ?? '');
  const fields = list(query, 'fields');
  const wanted = { fields, properties: list(query, 'properties') ?? [], changelog: false, isSearch: true };
  const issues = all.slice(startAt, startAt + maxResults).map((issue) => presentIssue(view, issue, wanted));
  return { status: 200, body: { startAt, maxResults, total: all.length, issues } };
}

export const searchRoutes: Route[] = [
  { method: 'GET', path: '/search/jql', only: 'cloud', handle: searchByToken },
  {
    method: 'POST',
    path: '/search/approximate-count',
    only: 'cloud',
    handle: (call) => ({ status: 200, body: { count: found(call, String(call.body.jql ?? '')).length } }),
  },
  {
    method: 'GET',
    path: '/search',
    handle: (call) => {
      if (!call.store.isCloud) return searchByNumber(call);
      throw new JiraError(410, [
        'The requested API has been removed. Please migrate to the /rest/api/3/search/jql API.',
      ]);
    },
  },
];
