import { type IsKnownReference, type ReferringIssue, referencesIn } from './references.ts';
import { hashTerm } from './term-hash.ts';
import { hasUnspacedWords, segmentedWords } from './tokenize.ts';

/** The fields of an issue from which its series is determined. */
export interface SeriesIssue {
  id: string;
  title: string;
  author: string | null;
  /**
   * Key of its parent issue, or of the first issue mentioned in its text. Null if there is none.
   */
  umbrella: string | null;
}

/** Issues with titles that are the same except for a few words, such as the steps of a plan. */
export interface Series {
  /**
   * The common words of the titles, with `…` for the words that differ. Spelled as in the first
   * title.
   */
  frame: string;
  /** The frame in lower case. It identifies the series when members are added or removed. */
  key: string;
  /** Ids of the members, in the order of the input. */
  members: string[];
  /** Key of the issue to which most members refer. Null if there is none. */
  umbrella: string | null;
}

/** Minimum members of a series. Two issues with such titles may be duplicates in other words. */
const MIN_MEMBERS = 3;
/**
 * Minimum members if they have no common author or umbrella issue. Independent authors may also
 * write similar titles, such as "Crash when opening …".
 */
const MIN_UNCONNECTED_MEMBERS = 6;
/** Maximum consecutive words in which the titles of a series may differ. */
const MAX_DIFFERING_WORDS = 3;
/** Minimum common words of the titles. The next constant is their minimum share of each title. */
const MIN_FRAME_WORDS = 3;
const MIN_FRAME_SHARE = 0.6;
const MAX_FRAME_TITLE_WORDS = 24;
/** Minimum share of members with the same author or the same umbrella issue. */
const MIN_SAME_ORIGIN_SHARE = 0.6;
const FRAME_GAP = '…';

/**
 * Finds the series among issues. Each issue is in at most one series: the largest one. If two are
 * equally large, it is in the one with the longer frame. A series needs three different titles,
 * because issues with equal titles are duplicates.
 */
export function findSeries(issues: readonly SeriesIssue[]): Series[] {
  const candidates = [...framed(issues)]
    .filter(([, members]) => haveEnoughTitles(members) && isOneSeries(members))
    .map(([hash, members]) => ({ words: frameOf(members[0]?.title ?? '', hash), members }))
    .sort(
      (one, other) =>
        other.members.length - one.members.length ||
        other.words.length - one.words.length ||
        (joined(one.words) < joined(other.words) ? -1 : 1),
    );
  const taken = new Set<SeriesIssue>();
  const series: Series[] = [];
  for (const { words, members } of candidates) {
    const free = members.filter((issue) => !taken.has(issue));
    if (!haveEnoughTitles(free) || !isOneSeries(free)) continue;
    for (const issue of free) taken.add(issue);
    const frame = joined(words);
    const { value: umbrella } = mostCommon(free.map((issue) => issue.umbrella));
    series.push({ frame, key: frame.toLowerCase(), members: free.map(({ id }) => id), umbrella });
  }
  return series;
}

/** Maximum characters of a description that are searched for an umbrella issue. */
const MAX_UMBRELLA_SEARCH_CHARS = 2_000;

/**
 * Returns the key of the first known issue that a description mentions. Null if there is none. See
 * `referencesIn`.
 */
export function umbrellaIn(
  { body, ...issue }: ReferringIssue & { body: string },
  isKnown: IsKnownReference,
): string | null {
  return referencesIn(body.slice(0, MAX_UMBRELLA_SEARCH_CHARS), issue, isKnown)[0]?.key ?? null;
}

/**
 * Returns the issues that may belong to a series according to their titles. For `findSeries`, only
 * these need the field `umbrella`.
 */
export function seriesCandidates<Issue extends Pick<SeriesIssue, 'title'>>(
  issues: readonly Issue[],
): Issue[] {
  const candidates = new Set([...framed(issues).values()].filter(haveEnoughTitles).flat());
  return issues.filter((issue) => candidates.has(issue));
}

/**
 * Groups issues by the frames of their titles. A frame is a title without one to three consecutive
 * words. The keys are hashes.
 */
function framed<Issue extends Pick<SeriesIssue, 'title'>>(issues: readonly Issue[]): Map<number, Issue[]> {
  const groups = new Map<number, Issue[]>();
  for (const issue of issues) {
    for (const hash of frameHashes(issue.title)) {
      const group = groups.get(hash);
      if (group === undefined) groups.set(hash, [issue]);
      else group.push(issue);
    }
  }
  return groups;
}

/**
 * Returns one hash per frame of a title. If two titles have a hash in common, they differ only in
 * one to three consecutive words.
 */
function frameHashes(title: string): Set<number> {
  const hashes = new Set<number>();
  for (const words of framesOf(wordsOf(title.toLowerCase()))) hashes.add(hashTerm(words.join(' ')));
  return hashes;
}

/** True if two titles differ only in one to three consecutive words. */
export function shareFrame(first: string, second: string): boolean {
  const hashes = frameHashes(first);
  for (const hash of frameHashes(second)) if (hashes.has(hash)) return true;
  return false;
}

/** True if two titles have the same words in the same order, regardless of case. */
export function areEqualTitles(first: string, second: string): boolean {
  return sequenceOf(first) === sequenceOf(second);
}

function sequenceOf(title: string): string {
  return wordsOf(title.toLowerCase()).join(' ');
}

function frameOf(title: string, hash: number): string[] {
  for (const words of framesOf(wordsOf(title)))
    if (hashTerm(words.join(' ').toLowerCase()) === hash) return words;
  return [];
}

/** Yields the frames of a title: the title without one, two or three consecutive words. */
function* framesOf(words: readonly string[]): Generator<string[]> {
  for (let length = 1; length <= MAX_DIFFERING_WORDS; length += 1) {
    const kept = words.length - length;
    if (kept < MIN_FRAME_WORDS || kept < words.length * MIN_FRAME_SHARE) break;
    for (let at = 0; at + length <= words.length; at += 1) {
      yield [...words.slice(0, at), FRAME_GAP, ...words.slice(at + length)];
    }
  }
}

/** True if enough titles are different. Issues with equal titles are duplicates, not a series. */
function haveEnoughTitles(members: readonly Pick<SeriesIssue, 'title'>[]): boolean {
  return (
    members.length >= MIN_MEMBERS &&
    new Set(members.map(({ title }) => sequenceOf(title))).size >= MIN_MEMBERS
  );
}

function wordsOf(title: string): string[] {
  return title
    .split(/\s+/)
    .filter((word) => word !== '')
    .flatMap((word) => [...segmentedWords(word)].map(({ written }) => written))
    .slice(0, MAX_FRAME_TITLE_WORDS);
}

/** Joins words with spaces. There is no space next to a letter of a script without spaces. */
function joined(words: readonly string[]): string {
  return words.reduce((text, word) => {
    const isUnspaced = hasUnspacedWords(text.slice(-1)) || hasUnspacedWords(word.slice(0, 1));
    return text === '' || isUnspaced ? text + word : `${text} ${word}`;
  }, '');
}

/** True if the members are numerous, or have an author or an umbrella issue in common. */
function isOneSeries(members: readonly SeriesIssue[]): boolean {
  if (members.length >= MIN_UNCONNECTED_MEMBERS) return true;
  return [members.map(({ umbrella }) => umbrella), members.map(({ author }) => author)].some(
    (values) => mostCommon(values).count >= MIN_SAME_ORIGIN_SHARE * members.length,
  );
}

/** Returns the most frequent value and its count. If no value occurs twice, the value is null. */
function mostCommon(values: readonly (string | null)[]): { value: string | null; count: number } {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: { value: string | null; count: number } = { value: null, count: 1 };
  for (const [value, count] of counts) if (count > best.count) best = { value, count };
  return best;
}
