import { hashTerm } from './term-hash.ts';

/** An issue as series are looked for. */
export interface SeriesIssue {
  id: string;
  title: string;
  author: string | null;
  /** Key of its parent, or of the only issue that its text refers to; null without one. */
  umbrella: string | null;
}

/** Issues whose titles are one frame with a different word each, such as the steps of a plan. */
export interface Series {
  /** The title with `…` for the words that differ, as the first member writes it. */
  frame: string;
  /** The same frame in lower case: the same for the same series, however many issues it has. */
  key: string;
  /** Ids, in the order given. */
  members: string[];
  /** Key of the issue that most members name; null without one. */
  umbrella: string | null;
}

/** Fewer issues with one frame are no series: two may be one issue in other words. */
const LEAST_MEMBERS = 3;
/** Without an umbrella or a common author, a frame needs this many: "Crash when opening …" is written by anyone. */
const LEAST_OF_STRANGERS = 6;
/** Words that differ, side by side. */
const MOST_DIFFERING = 3;
/** A frame has at least this many words, and this share of the title. */
const LEAST_WORDS = 3;
const LEAST_SHARE = 0.6;
const MOST_WORDS = 24;
/** Share of members that has one author, or names one umbrella. */
const COMMON_SHARE = 0.6;
const GAP = '…';

/**
 * Finds the series among issues. Each issue is in at most one, the largest, and of equal ones the one with the longest
 * frame. Issues whose titles are equal are duplicates rather than a series: a series needs three different titles.
 */
export function findSeries(issues: readonly SeriesIssue[]): Series[] {
  const groups = new Map<number, SeriesIssue[]>();
  for (const issue of issues) {
    for (const hash of frameHashes(issue.title)) {
      const group = groups.get(hash);
      if (group === undefined) groups.set(hash, [issue]);
      else group.push(issue);
    }
  }
  const candidates = [...groups]
    .filter(([, members]) => members.length >= LEAST_MEMBERS && differ(members) && isOneSeries(members))
    .map(([hash, members]) => ({ words: frameOf(members[0]?.title ?? '', hash), members }))
    .sort(
      (one, other) =>
        other.members.length - one.members.length ||
        other.words.length - one.words.length ||
        (one.words.join(' ') < other.words.join(' ') ? -1 : 1),
    );
  const taken = new Set<SeriesIssue>();
  const series: Series[] = [];
  for (const { words, members } of candidates) {
    const free = members.filter((issue) => !taken.has(issue));
    if (free.length < LEAST_MEMBERS || !differ(free) || !isOneSeries(free)) continue;
    for (const issue of free) taken.add(issue);
    const frame = words.join(' ');
    const { value: umbrella } = mostCommon(free.map((issue) => issue.umbrella));
    series.push({ frame, key: frame.toLowerCase(), members: free.map(({ id }) => id), umbrella });
  }
  return series;
}

const REFERENCE = /#\d+|\b[A-Z][A-Z0-9]+-\d+\b/;
/** Characters of a description in which an umbrella issue is looked for. */
export const READ_FOR_UMBRELLA = 2_000;

/** The first issue that a description names, such as `#12` or `PROJ-12`; null without one. */
export function umbrellaIn(body: string): string | null {
  return REFERENCE.exec(body.slice(0, READ_FOR_UMBRELLA))?.[0] ?? null;
}

/** One hash for each frame of a title: two titles with one in common differ in one to three words side by side. */
export function frameHashes(title: string): Set<number> {
  const hashes = new Set<number>();
  for (const words of framesOf(wordsOf(title.toLowerCase()))) hashes.add(hashTerm(words.join(' ')));
  return hashes;
}

/** True if two titles have a frame in common: they differ in one to three words side by side. */
export function shareFrame(first: string, second: string): boolean {
  const hashes = frameHashes(first);
  for (const hash of frameHashes(second)) if (hashes.has(hash)) return true;
  return false;
}

function frameOf(title: string, hash: number): string[] {
  for (const words of framesOf(wordsOf(title)))
    if (hashTerm(words.join(' ').toLowerCase()) === hash) return words;
  return [];
}

/** The frames of a title: itself without one to three words side by side. */
function* framesOf(words: readonly string[]): Generator<string[]> {
  for (let length = 1; length <= MOST_DIFFERING; length += 1) {
    const kept = words.length - length;
    if (kept < LEAST_WORDS || kept < words.length * LEAST_SHARE) break;
    for (let at = 0; at + length <= words.length; at += 1) {
      yield [...words.slice(0, at), GAP, ...words.slice(at + length)];
    }
  }
}

/** True if there are enough different titles: those that are equal are duplicates of each other. */
function differ(members: readonly SeriesIssue[]): boolean {
  return new Set(members.map(({ title }) => wordsOf(title.toLowerCase()).join(' '))).size >= LEAST_MEMBERS;
}

function wordsOf(title: string): string[] {
  return title
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS);
}

/** True if the members belong together by more than their titles. */
function isOneSeries(members: readonly SeriesIssue[]): boolean {
  if (members.length >= LEAST_OF_STRANGERS) return true;
  return [members.map(({ umbrella }) => umbrella), members.map(({ author }) => author)].some(
    (values) => mostCommon(values).count >= COMMON_SHARE * members.length,
  );
}

/** The most frequent value, and how often it occurs; null where none occurs twice. */
function mostCommon(values: readonly (string | null)[]): { value: string | null; count: number } {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: { value: string | null; count: number } = { value: null, count: 1 };
  for (const [value, count] of counts) if (count > best.count) best = { value, count };
  return best;
}
