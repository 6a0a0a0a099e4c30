import { JiraError } from './jira-error.ts';
import { instantOf } from './local-time.ts';
import { type Issue, issueKey, type Project, type User } from './model.ts';
import type { Store } from './store.ts';

interface Clause {
  field: string;
  operator: string;
  value: string;
}

interface Query {
  clauses: Clause[];
  order: { field: string; descending: boolean }[];
}

const CLAUSE = /^\s*([A-Za-z]+)\s*(>=|<=|!=|=|>|<)\s*(?:"([^"]*)"|([^\s"()]+))\s*/;

/**
 * Runs a search query in a subset of JQL. Supports clauses on project, key, updated and created,
 * joined by AND, and a sort order. Times are precise to a minute and are in the user's time zone.
 * @throws {JiraError} 400 for an invalid query, or for a project that the user cannot see
 */
export function search(
  store: Store,
  user: User,
  jql: string,
  canSee: (project: Project) => boolean,
): Issue[] {
  const query = parse(jql);
  if (query.clauses.length === 0 && store.isCloud) {
    throw new JiraError(400, [
      'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
    ]);
  }
  const tests = query.clauses.map((clause) => testOf(store, user, clause, canSee));
  const found = [...store.issues.values()].filter(
    (issue) => canSee(issue.project) && tests.every((test) => test(issue)),
  );
  return found.sort((left, right) => {
    for (const { field, descending } of query.order) {
      const difference = orderOf(field, left, right);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return Number(right.id) - Number(left.id);
  });
}

function parse(jql: string): Query {
  const [where = '', orderBy = ''] = jql.split(/\border\s+by\b/i);
  const clauses: Clause[] = [];
  let rest = where;
  while (rest.trim() !== '') {
    const match = CLAUSE.exec(rest);
    if (match === null) throw unreadable(rest);
    clauses.push({
      field: (match[1] ?? '').toLowerCase(),
      operator: match[2] ?? '',
      value: match[3] ?? match[4] ?? '',
    });
    rest = rest.slice(match[0].length);
    if (rest === '') break;
    if (!/^and\b/i.test(rest)) throw unreadable(rest);
    rest = rest.slice(3);
  }
  const order = orderBy.split(',').flatMap((part) => {
    const [field, direction] = part.trim().split(/\s+/);
    return field ? [{ field: field.toLowerCase(), descending: direction?.toLowerCase() === 'desc' }] : [];
  });
  return { clauses, order };
}

function unreadable(rest: string): JiraError {
  return new JiraError(400, [
    `Error in the JQL Query: Expecting operator but got '${rest.trim().slice(0, 20)}'.`,
  ]);
}

function testOf(
  store: Store,
  user: User,
  clause: Clause,
  canSee: (project: Project) => boolean,
): (issue: Issue) => boolean {
  const { field, operator, value } = clause;
  switch (field) {
    case 'project': {
      const project = store.project(value);
      if (project !== undefined && canSee(project)) return (issue) => issue.project === project;
      const what = /^\d+$/.test(value) ? `A value with ID '${value}'` : `The value '${value}'`;
      throw new JiraError(400, [`${what} does not exist for the field 'project'.`]);
    }
    case 'updated':
    case 'created': {
      const at = timeOf(value, user, store.site.ambiguousTime);
      return (issue) => compare(field === 'updated' ? issue.updatedMs : issue.createdMs, operator, at);
    }
    case 'key':
    case 'issuekey':
      return keyTest(store, operator, value, canSee);
    default:
      throw new JiraError(400, [`Field '${field}' does not exist or you do not have permission to view it.`]);
  }
}

/**
 * Returns a function that tests a clause on the key of an issue. If the key in the clause does not
 * exist, Data Center returns an error. Cloud then finds no issues, even with the operator `!=`.
 */
function keyTest(
  store: Store,
  operator: string,
  value: string,
  canSee: (project: Project) => boolean,
): (issue: Issue) => boolean {
  const named = store.issue(value);
  if (named === undefined || !canSee(named.project)) {
    if (store.isCloud) return () => false;
    throw new JiraError(400, [`An issue with key '${value}' does not exist for field 'key'.`]);
  }
  return (issue) => issue.project === named.project && compare(issue.number, operator, named.number);
}

function timeOf(value: string, user: User, prefer: 'earlier' | 'later'): number {
  const match = /^(\d{4})[-/](\d\d)[-/](\d\d)(?: (\d\d):(\d\d))?$/.exec(value);
  if (match === null) {
    throw new JiraError(400, [
      `Date value '${value}' for field 'updated' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'.`,
    ]);
  }
  const [year, month, day, hour, minute] = match.slice(1).map((part) => Number(part ?? 0));
  const local = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute);
  return instantOf(local, user.timeZone, prefer);
}

function compare(left: number, operator: string, right: number): boolean {
  switch (operator) {
    case '>=':
      return left >= right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '<':
      return left < right;
    case '=':
      return left === right;
    default:
      return left !== right;
  }
}

function orderOf(field: string, left: Issue, right: Issue): number {
  switch (field) {
    case 'updated':
      return left.updatedMs - right.updatedMs;
    case 'created':
      return left.createdMs - right.createdMs;
    case 'key':
    case 'issuekey':
      return left.project.key.localeCompare(right.project.key) || left.number - right.number;
    case 'id':
      return Number(left.id) - Number(right.id);
    default:
      throw new JiraError(400, [`Not able to sort using field '${field}' (${issueKey(left)}).`]);
  }
}
