import { setImmediate as letOthers } from 'node:timers/promises';
import { ImpliedSearch, implyingTextsOf, statedDependencies } from '@winnow/analysis/dependencies';
import { hostOf, referencesIn } from '@winnow/analysis/references';
import { statedOriginal } from '@winnow/analysis/stated-original';
import type { Db } from '../../schema/tables.ts';
import { type CommentText, commentTextsOf, findIdsByKey, findTexts, type IssueTexts } from '../store.ts';
import type { AccountIndex } from './account-index.ts';
import type { DependencyReading, EngineCalls } from './messages.ts';

/** Maximum characters that are read of one description or comment. */
const MAX_READ_TEXT_CHARS = 20_000;
/**
 * Limits for reading an issue's comments: the number of comments, newest first, and characters per
 * comment and in total.
 */
const COMMENT_LIMITS = { most: 50, longest: MAX_READ_TEXT_CHARS, longestOfAll: 60_000 };

/**
 * Finds the dependencies and originals that the texts of issues state. Lets other calls run after
 * each issue.
 *
 * A key refers to an issue of the same tracker, if one has this key. Change requests are ignored:
 * their texts are not read, and keys of change requests are not found.
 */
export async function readDependencies(
  db: Db,
  accountId: string,
  issueIds: readonly string[],
): Promise<DependencyReading[]> {
  const issues = await findTexts(db, accountId, issueIds, MAX_READ_TEXT_CHARS);
  const comments = await commentTextsOf(db, accountId, issueIds, COMMENT_LIMITS);
  const named: NamingIssue[] = [];
  for (const issue of issues) {
    const description = whole(issue.description);
    const said = (comments.get(issue.id) ?? []).map(({ body, author }) => ({ body: whole(body), author }));
    const texts = said.map(({ body }) => body);
    const keys = keysIn({ ...issue, description }, texts);
    named.push({ issue: { ...issue, description }, comments: said, keys });
    await letOthers();
  }
  const known = await findIdsByKey(db, accountId, [...new Set(named.flatMap(({ keys }) => keys))]);
  const readings: DependencyReading[] = [];
  for (const issue of named) {
    readings.push(readingOf(issue, known));
    await letOthers();
  }
  return readings;
}

/** An issue with its comments, and with all issue keys that its texts mention. */
interface NamingIssue {
  issue: IssueTexts;
  comments: CommentText[];
  keys: string[];
}

function readingOf(
  { issue, comments, keys }: NamingIssue,
  known: readonly Pick<IssueTexts, 'key' | 'id' | 'tracker_id'>[],
): DependencyReading {
  const ids = new Map([[issue.key, issue.id]]);
  for (const { key, id, tracker_id } of known) if (tracker_id === issue.tracker_id) ids.set(key, id);
  const isKnown = (key: string, host: string | null) =>
    key !== issue.key && ids.has(key) && isOfTracker(issue, host);
  const texts = comments.map(({ body }) => body);
  const stated = statedDependencies({ ...issue, body: issue.description }, texts, isKnown);
  const originals = comments.flatMap(({ body, author }) => {
    const said = author === null ? null : statedOriginal(body, issue, isKnown);
    if (author === null || said === null) return [];
    const originalId = said.original === null ? null : (ids.get(said.original) ?? null);
    return [{ originalId, by: author, quote: said.quote }];
  });
  return {
    issueId: issue.id,
    key: issue.key,
    stated: stated.flatMap(({ source, dependent, reason, confidence }) => {
      const [sourceId, dependentId] = [ids.get(source), ids.get(dependent)];
      if (sourceId === undefined || dependentId === undefined) return [];
      return [{ source: sourceId, dependent: dependentId, reason, confidence }];
    }),
    originals,
    missing: keys.filter((key) => !ids.has(key)),
    texts: implyingTextsOf({ ...issue, body: issue.description, type: issue.issue_type }),
  };
}

/**
 * Removes the last word of a truncated text, because that word may be incomplete: `#12` could look
 * like `#1`.
 */
function whole(text: string): string {
  if (text.length < MAX_READ_TEXT_CHARS) return text;
  return text.slice(0, Math.max(0, text.lastIndexOf(' '), text.lastIndexOf('\n')));
}

/**
 * True if a link with this host may refer to an issue of the same tracker: the hosts are equal, or
 * one of them is unknown. A mirror on another host has the same keys, but for other issues.
 */
export function isOfTracker({ url }: Pick<IssueTexts, 'url'>, host: string | null): boolean {
  return host === null || url === null || url === '' || host === hostOf(url);
}

function keysIn(issue: IssueTexts, comments: readonly string[]): string[] {
  const mentions = [issue.title, issue.description, ...comments].flatMap((text) =>
    referencesIn(text, issue, (_, host) => isOfTracker(issue, host)),
  );
  return [...new Set(mentions.map(({ key }) => key))];
}

/** Returns the dependencies that the texts of issues imply. Uses the term index of the account. */
export function impliedDependencies(
  account: AccountIndex,
  { readings, issueIds }: EngineCalls['impliedDependencies']['request'],
): EngineCalls['impliedDependencies']['answer'] {
  const { words } = account;
  const idf = account.termWeights();
  const search = new ImpliedSearch(readings, {
    issues: words.issues,
    idf,
    holdersOf: (terms) => words.holdersOf(terms),
    areOnSameTopic: (first, second) => words.areOnSameTopic(first, second),
  });
  const settled = new Set(readings.filter(({ isSettled }) => isSettled).map(({ id }) => id));
  if (settled.size === 0) return search.findImpliedBy(issueIds);
  const affected = search.affectedBy(issueIds, (terms) => words.holdersOf(terms, issueIds));
  return search.findImpliedBy([...new Set([...issueIds, ...affected.filter((id) => settled.has(id))])]);
}
