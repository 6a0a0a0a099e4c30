import { type IsKnownReference, type ReferringIssue, referencesIn } from './references.ts';
import { hashTerm } from './term-hash.ts';
import { hasUnspacedWords, segmentedWords } from './tokenize.ts';

/** The fields of an issue that determine its series. */
export interface SeriesIssue {
  id: string;
  title: string;
  author: string | null;
  /** Key of its parent, or of the first issue that its text names; null without one. */
  umbrella: string | null;
}

/** Issues whose titles share a frame and differ in a few words, such as the steps of a plan. */
export interface Series {
  /** The title of the first member with `…` for the words that differ. */
  frame: string;
  /** The frame in lower case: identifies the series as members are added and removed. */
  key: string;
  /** Ids of the members, in the given order. */
  members: string[];
  /** Key of the issue that most members refer to; null without one. */
  umbrella: string | null;
}

/** Minimum members of a series. Two issues of one frame may be the same issue in other words. */
const MIN_MEMBERS = 3;
/**
 * Minimum members without an umbrella or a common author: anyone may write "Crash when opening …".
 */
const MIN_UNCONNECTED_MEMBERS = 6;
/** Maximum consecutive words that differ. */
const MAX_DIFFERING_WORDS = 3;
/** Minimum words of a frame. The next constant is its minimum share of the title. */
const MIN_FRAME_WORDS = 3;
const MIN_FRAME_SHARE = 0.6;
const MAX_FRAME_TITLE_WORDS = 24;
/** Minimum share of members with the same author or the same umbrella. */
const MIN_SAME_ORIGIN_SHARE = 0.6;
const FRAME_GAP = '…';

/**
 * Finds the series among issues. Each issue is in at most one: the largest, or of equal ones the
 * one with the longest frame. A series needs three different titles, since issues with equal titles
 * are duplicates.
 */
export function findSeries(issues: readonly SeriesIssue[]): Series[] {
  const candidates = [...framed(issues)]
    .filter(([, members]) => differ(members) && isOneSeries(members))
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
    if (!differ(free) || !isOneSeries(free)) continue;
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
 * Returns the key of the first issue that a description names and that `isKnown` accepts; null
 * without one. See `referencesIn`.
 */
export function umbrellaIn(
  { body, ...issue }: ReferringIssue & { body: string },
  isKnown: IsKnownReference,
): string | null {
  return referencesIn(body.slice(0, MAX_UMBRELLA_SEARCH_CHARS), issue, isKnown)[0]?.key ?? null;
}

/**
 * Returns the issues that may belong to a series by their titles. Only these need an umbrella for
 * `findSeries`.
 */
export function seriesCandidates<Issue extends Pick<SeriesIssue, 'title'>>(
  issues: readonly Issue[],
): Issue[] {
  const candidates = new Set([...framed(issues).values()].filter(differ).flat());
  return issues.filter((issue) => candidates.has(issue));
}

/** Groups issues by the hashes of the frames of their titles. */
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
 * Returns one hash per frame of a title. Titles with a common hash differ in one to three
 * consecutive words.
 */
function frameHashes(title: string): Set<number> {
  const hashes = new Set<number>();
  for (const words of framesOf(wordsOf(title.toLowerCase()))) hashes.add(hashTerm(words.join(' ')));
  return hashes;
}

/** True if two titles have a common frame: they differ in one to three consecutive words. */
export function shareFrame(first: string, second: string): boolean {
  const hashes = frameHashes(first);
  for (const hash of frameHashes(second)) if (hashes.has(hash)) return true;
  return false;
}

/** True if two titles have the same words. */
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

/** Yields the frames of a title: the title without one to three consecutive words. */
function* framesOf(words: readonly string[]): Generator<string[]> {
  for (let length = 1; length <= MAX_DIFFERING_WORDS; length += 1) {
    const kept = words.length - length;
    if (kept < MIN_FRAME_WORDS || kept < words.length * MIN_FRAME_SHARE) break;
    for (let at = 0; at + length <= words.length; at += 1) {
      yield [...words.slice(0, at), FRAME_GAP, ...words.slice(at + length)];
    }
  }
}

/** True if there are enough different titles: issues with equal titles are duplicates. */
function differ(members: readonly Pick<SeriesIssue, 'title'>[]): boolean {
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

/** Joins words by spaces, except next to letters of a script without spaces. */
function joined(words: readonly string[]): string {
  return words.reduce((text, word) => {
    const isUnspaced = hasUnspacedWords(text.slice(-1)) || hasUnspacedWords(word.slice(0, 1));
    return text === '' || isUnspaced ? text + word : `${text} ${word}`;
  }, '');
}

/** True if the members have more in common than their titles. */
function isOneSeries(members: readonly SeriesIssue[]): boolean {
  if (members.length >= MIN_UNCONNECTED_MEMBERS) return true;
  return [members.map(({ umbrella }) => umbrella), members.map(({ author }) => author)].some(
    (values) => mostCommon(values).count >= MIN_SAME_ORIGIN_SHARE * members.length,
  );
}

/** Returns the most frequent value and its count. The value is null if none occurs twice. */
function mostCommon(values: readonly (string | null)[]): { value: string | null; count: number } {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: { value: string | null; count: number } = { value: null, count: 1 };
  for (const [value, count] of counts) if (count > best.count) best = { value, count };
  return best;
}
