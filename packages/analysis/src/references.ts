import { proseOf } from './dependencies/prose.ts';

/** A mention of an issue in a text. `start` and `end` are its UTF-16 offsets. */
export interface Reference {
  key: string;
  start: number;
  end: number;
}

/**
 * Returns true if a mention refers to a known issue. For a URL, `host` is its host; otherwise null.
 */
export type IsKnownReference = (key: string, host: string | null) => boolean;

/** The issue whose text is searched for references. */
export interface ReferringIssue {
  /** `owner/repo#12`, `group/project#12`, `group/project!12` or `PROJ-12`. */
  key: string;
  /** URL of the issue, or null. It shows the path on the host under which projects are. */
  url: string | null;
}

const WEB_ADDRESS = /\b(?:[a-z][a-z0-9+.-]{0,20}:\/\/|www\.)[^\s<>()[\]"'`|{}\\]+/gi;
/** Punctuation at the end of a URL that belongs to the sentence. */
const TRAILING_PUNCTUATION = /[.,;:!?*_~]$/;
const OF_PROJECT =
  /^\/?([\w.-]+(?:\/[\w.-]+)*?)\/(?:-\/)?(issues|work_items|pull|pulls|merge_requests)\/(\d{1,9})(?![\w-])/;
const JIRA_ISSUE_PATH = /\/browse\/([a-z][a-z0-9_]{1,19}-\d{1,9})(?![\w-])/i;
/** Maximum characters of a URL that are parsed. */
const MAX_ADDRESS_CHARS = 1000;

const ISSUE_NUMBER =
  /(GH-|[#!])([1-9]\d{0,8})(?![\p{Script=Latin}\p{N}@]|_[\p{L}\p{N}_]|[.,]\d|-[\p{L}\p{N}])/gu;
const ISSUE_KEY =
  /(?<![\p{Script=Latin}\p{N}.#&=@+-]|[\p{L}\p{N}_]_)[A-Z][A-Z0-9_]{1,19}-[1-9]\d{0,8}(?![\p{Script=Latin}\p{N}@]|_[\p{L}\p{N}_]|\.\d|-[\p{L}\p{N}])/gu;
/**
 * Names of standards that are followed by a number, such as `ISO-8601`. They are not issue keys.
 */
const STANDARDS: ReadonlySet<string> = new Set('AES BASE CP GMT ISO MD RSA SHA UCS UTC UTF'.split(' '));

const PATH_CHARACTER = /[\w./-]/;
const MAX_PATH_CHARS = 200;
/**
 * Characters before a number that show that it is not an issue: part of a word, an entity, or a URL
 * parameter.
 */
const RULED_OUT_BEFORE = /[\p{Script=Latin}\p{N}#!&=%?@+$]/u;

/** Words before a number of something other than an issue, as in "step #2". */
const COUNTED_WORD =
  /(?:^|[^\p{L}])(?:attempt|build|case|chapter|column|comment|example|figure|job|line|option|page|part|phase|point|question|reply|row|rule|run|scenario|section|slide|step|table|test|try|version)\s+(?:no\.?\s*)?$/iu;
const RANKING_WORDS = /(?:^|[^\p{L}])(?:our|my|your|their|the|as)\s+$/iu;
const MAX_RANK = 3;
const COLOR_LENGTHS: ReadonlySet<number> = new Set([3, 4, 6, 8]);
const COLOR_WORD =
  /(?:colou?rs?|background|border|fill|stroke|hex|rgb|palette|gradient|shade|grey|gray|white|black|farbe|couleur)\b[^.;\n]{0,24}$/i;
const COLOR_NEARBY = /#(?=[\da-f]{0,8}[a-f])(?:[\da-f]{6}|[\da-f]{3}|[\da-f]{8})\b/i;
const NEARBY_CHARS = 32;

/**
 * Finds all mentions of other issues in Markdown or Jira wiki markup, in order and without
 * overlaps.
 *
 * Recognizes `#12` and `GH-12` in the same project, `project#12` in the same group,
 * `owner/repo#12`, `group/project!12` and `PROJ-12`. Also recognizes URLs of GitHub, GitLab and
 * Jira. Returns keys in the form that the trackers use.
 *
 * Omits the issue itself, and keys for which `isKnown` returns false. Ignores code, quotes, colors,
 * versions and other numbers. Runs in linear time.
 */
export function referencesIn(
  text: string,
  { key, url }: ReferringIssue,
  isKnown: IsKnownReference,
): Reference[] {
  return referencesInProse(proseOf(text), { key, url }, isKnown);
}

/** Like `referencesIn`, but takes the result of `proseOf` instead of the original text. */
export function referencesInProse(
  prose: string,
  { key, url }: ReferringIssue,
  isKnown: IsKnownReference,
): Reference[] {
  const own = ownProject(key);
  const addresses = [...prose.matchAll(WEB_ADDRESS)].map(({ 0: whole, index }) => {
    let end = whole.length;
    while (end > 0 && TRAILING_PUNCTUATION.test(whole.charAt(end - 1))) end -= 1;
    return { start: index, end: index + end, whole: whole.slice(0, end) };
  });
  const found = addresses.flatMap(({ start, end, whole }) =>
    keysOfAddress(whole, own, baseOf(url, own)).map((key) => ({ key, start, end, host: hostOf(whole) })),
  );
  const rest = blanked(prose, addresses);
  for (const match of rest.matchAll(ISSUE_NUMBER)) {
    const reference = numberedAt(rest, match.index, match[0], own);
    if (reference !== null) found.push({ ...reference, host: null });
  }
  for (const { 0: word, index } of rest.matchAll(ISSUE_KEY)) {
    const project = word.slice(0, word.lastIndexOf('-'));
    if (project === own || !(STANDARDS.has(project) || (project === 'GH' && own.includes('/')))) {
      found.push({ key: word, start: index, end: index + word.length, host: null });
    }
  }
  const known = found.filter((reference) => reference.key !== key && isKnown(reference.key, reference.host));
  known.sort((a, b) => a.start - b.start || b.end - a.end);
  return known
    .filter(({ start }, at) => start >= (known[at - 1]?.end ?? 0))
    .map(({ key: mentioned, start, end }) => ({ key: mentioned, start, end }));
}

/**
 * Returns the host and port of a URL in lower case, without `www.`. Null if the text is not a URL.
 */
export function hostOf(address: string): string | null {
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]+)/i.exec(address)?.[1];
  return host === undefined ? null : host.toLowerCase().replace(/^www\./, '');
}

/** Returns the project of an issue key: `owner/repo` for `owner/repo#12`, `PROJ` for `PROJ-12`. */
function ownProject(key: string): string {
  return key.replace(/[#!-]\d+$/, '');
}

/** Returns the part of the issue's URL before the project's path. Null if it cannot be found. */
function baseOf(url: string | null, own: string): string | null {
  const at = url?.toLowerCase().indexOf(`/${own.toLowerCase()}/`) ?? -1;
  return url === null || at < 0 ? null : url.slice(0, at + 1);
}

function keysOfAddress(address: string, own: string, base: string | null): string[] {
  const read = address.slice(0, MAX_ADDRESS_CHARS);
  const isUnderBase = base !== null && read.toLowerCase().startsWith(base.toLowerCase());
  const path = isUnderBase ? read.slice(base.length) : read.replace(/^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/]*/i, '');
  const [, project, kind, number] = OF_PROJECT.exec(path) ?? [];
  if (project !== undefined) {
    return [`${spelled(project, own)}${kind === 'merge_requests' ? '!' : '#'}${Number(number)}`];
  }
  const browsed = JIRA_ISSUE_PATH.exec(path)?.[1];
  return browsed === undefined ? [] : [browsed.toUpperCase()];
}

/**
 * Returns a project path. If it equals the issue's own project except for case, returns the
 * spelling of the own project.
 */
function spelled(project: string, own: string): string {
  return project.toLowerCase() === own.toLowerCase() ? own : project;
}

function blanked(text: string, ranges: readonly { start: number; end: number }[]): string {
  let kept = '';
  let from = 0;
  for (const { start, end } of ranges) {
    kept += text.slice(from, start) + '/'.repeat(end - start);
    from = end;
  }
  return kept + text.slice(from);
}

/**
 * Returns the reference for the number at `at`, including the path before it. Returns null if the
 * number is not a reference.
 */
function numberedAt(text: string, at: number, written: string, own: string): Reference | null {
  if (!own.includes('/')) return null;
  const isGh = written.startsWith('GH-');
  const mark = written.startsWith('!') ? '!' : '#';
  const number = written.replace(/^\D+/, '');
  const end = at + written.length;
  const path = isGh ? '' : pathBefore(text, at);
  const start = at - path.length;
  if (RULED_OUT_BEFORE.test(text.charAt(start - 1)) || (isGh && PATH_CHARACTER.test(text.charAt(at - 1))))
    return null;
  if (path.length === 1) return null;
  if (path !== '') {
    const project = path.includes('/') ? path : `${own.slice(0, own.lastIndexOf('/'))}/${path}`;
    return { key: `${spelled(project, own)}${mark}${number}`, start, end };
  }
  if (mark === '#' && isOtherNumber(text, at, end)) return null;
  return { key: `${own}${mark}${number}`, start: at, end };
}

/**
 * Returns the project path that ends directly before `at`. Returns an empty string if there is
 * none. In `#12/#13` the slash only separates two numbers, so the path is empty, too.
 */
function pathBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && at - start < MAX_PATH_CHARS && PATH_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  while (start < at && /[._/-]/.test(text.charAt(start))) start += 1;
  const path = text.slice(start, at);
  return /^\d+[/-]$/.test(path) && text[start - 1] === '#' ? '' : path;
}

/** True if the number is a color, a rank, or the number of something other than an issue. */
function isOtherNumber(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - NEARBY_CHARS), at);
  const after = text.slice(end, end + NEARBY_CHARS);
  const digits = text.slice(at + 1, end);
  if (/\]\($/.test(before) || COUNTED_WORD.test(before)) return true;
  if (Number(digits) <= MAX_RANK && RANKING_WORDS.test(before) && /^\s+\p{L}/u.test(after)) return true;
  if (!COLOR_LENGTHS.has(digits.length)) return false;
  return COLOR_WORD.test(before) || COLOR_NEARBY.test(before) || COLOR_NEARBY.test(after);
}
