import { proseOf } from './dependencies/prose.ts';

/** A mention of an issue in a text: the key of the issue, and where it stands, in UTF-16 offsets. */
export interface Reference {
  key: string;
  start: number;
  end: number;
}

/** Decides if a mention counts, by its key and, for a web address, by the host that it names. */
export type IsKnownReference = (key: string, host: string | null) => boolean;

/** The issue in whose text references are looked for. */
export interface ReferringIssue {
  /** `owner/repo#12`, `group/project#12`, `group/project!12` or `PROJ-12`. */
  key: string;
  /** Its web address; null when it has none. Tells under which path of its host the projects are. */
  url: string | null;
}

const ADDRESS = /\b(?:[a-z][a-z0-9+.-]{0,20}:\/\/|www\.)[^\s<>()[\]"'`|{}\\]+/gi;
/** What stands behind an address in a sentence. */
const BEHIND_ADDRESS = /[.,;:!?*_~]$/;
const OF_PROJECT =
  /^\/?([\w.-]+(?:\/[\w.-]+)*?)\/(?:-\/)?(issues|work_items|pull|pulls|merge_requests)\/(\d{1,9})(?![\w-])/;
const BROWSED = /\/browse\/([a-z][a-z0-9_]{1,19}-\d{1,9})(?![\w-])/i;
/** Longer addresses are read this far. */
const LONGEST_ADDRESS = 1000;

const NUMBERED = /(GH-|[#!])([1-9]\d{0,8})(?![\p{Script=Latin}\p{N}@]|_[\p{L}\p{N}_]|[.,]\d|-[\p{L}\p{N}])/gu;
const KEYED =
  /(?<![\p{Script=Latin}\p{N}.#&=@+-]|[\p{L}\p{N}_]_)[A-Z][A-Z0-9_]{1,19}-[1-9]\d{0,8}(?![\p{Script=Latin}\p{N}@]|_[\p{L}\p{N}_]|\.\d|-[\p{L}\p{N}])/gu;
/** Names that stand before a number in a standard's name, and are no project of anybody. */
const STANDARDS: ReadonlySet<string> = new Set('AES BASE CP GMT ISO MD RSA SHA UCS UTC UTF'.split(' '));

const PATH_CHARACTER = /[\w./-]/;
const LONGEST_PATH = 200;
/** Directly before a number these leave no issue: an entity, a letter of another word, a parameter. */
const GLUED = /[\p{Script=Latin}\p{N}#!&=%?@+$]/u;

/** Words whose numbers count something else than issues: "step #2". */
const COUNTED =
  /(?:^|[^\p{L}])(?:attempt|build|case|chapter|column|comment|example|figure|job|line|option|page|part|phase|point|question|reply|row|rule|run|scenario|section|slide|step|table|test|try|version)\s+(?:no\.?\s*)?$/iu;
const RANKED = /(?:^|[^\p{L}])(?:our|my|your|their|the|as)\s+$/iu;
const HIGHEST_RANK = 3;
const COLOUR_LENGTHS: ReadonlySet<number> = new Set([3, 4, 6, 8]);
const COLOUR_WORD =
  /(?:colou?rs?|background|border|fill|stroke|hex|rgb|palette|gradient|shade|grey|gray|white|black|farbe|couleur)\b[^.;\n]{0,24}$/i;
const COLOUR_NEAR = /#(?=[\da-f]{0,8}[a-f])(?:[\da-f]{6}|[\da-f]{3}|[\da-f]{8})\b/i;
const NEAR = 32;

/**
 * Every mention of another issue in a text (Markdown, or Jira's wiki markup), in order, none overlapping another: `#12`
 * and `GH-12` of the issue's own project, `project#12` beside it, `owner/repo#12`, `group/project!12`, `PROJ-12`, and web
 * addresses of GitHub, GitLab and Jira. Keys are as the trackers give them; those that `isKnown` refuses are left out, and
 * so is the issue itself. Code, quotes, colours, versions and counted things are no mentions. In linear time.
 */
export function referencesIn(
  text: string,
  { key, url }: ReferringIssue,
  isKnown: IsKnownReference,
): Reference[] {
  return referencesInProse(proseOf(text), { key, url }, isKnown);
}

/** What `referencesIn` finds, in a text that `proseOf` has read. */
export function referencesInProse(
  prose: string,
  { key, url }: ReferringIssue,
  isKnown: IsKnownReference,
): Reference[] {
  const own = ownProject(key);
  const addresses = [...prose.matchAll(ADDRESS)].map(({ 0: whole, index }) => {
    let end = whole.length;
    while (end > 0 && BEHIND_ADDRESS.test(whole.charAt(end - 1))) end -= 1;
    return { start: index, end: index + end, whole: whole.slice(0, end) };
  });
  const found = addresses.flatMap(({ start, end, whole }) =>
    keysOfAddress(whole, own, baseOf(url, own)).map((key) => ({ key, start, end, host: hostOf(whole) })),
  );
  const rest = blanked(prose, addresses);
  for (const match of rest.matchAll(NUMBERED)) {
    const reference = numberedAt(rest, match.index, match[0], own);
    if (reference !== null) found.push({ ...reference, host: null });
  }
  for (const { 0: word, index } of rest.matchAll(KEYED)) {
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

/** The host of a web address with its port, as addresses of one site have it; null for what is none. */
export function hostOf(address: string): string | null {
  const host = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]+)/i.exec(address)?.[1];
  return host === undefined ? null : host.toLowerCase().replace(/^www\./, '');
}

/** The project of a key: `owner/repo` of `owner/repo#12`, `PROJ` of `PROJ-12`. */
function ownProject(key: string): string {
  return key.replace(/[#!-]\d+$/, '');
}

/** What stands before the project's path in addresses of the issue's host; null when that cannot be told. */
function baseOf(url: string | null, own: string): string | null {
  const at = url?.toLowerCase().indexOf(`/${own.toLowerCase()}/`) ?? -1;
  return url === null || at < 0 ? null : url.slice(0, at + 1);
}

function keysOfAddress(address: string, own: string, base: string | null): string[] {
  const read = address.slice(0, LONGEST_ADDRESS);
  const isUnderBase = base !== null && read.toLowerCase().startsWith(base.toLowerCase());
  const path = isUnderBase ? read.slice(base.length) : read.replace(/^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/]*/i, '');
  const [, project, kind, number] = OF_PROJECT.exec(path) ?? [];
  if (project !== undefined) {
    return [`${spelled(project, own)}${kind === 'merge_requests' ? '!' : '#'}${Number(number)}`];
  }
  const browsed = BROWSED.exec(path)?.[1];
  return browsed === undefined ? [] : [browsed.toUpperCase()];
}

/** Trackers do not tell capitals of a path apart: the own project is written as its key has it. */
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

/** The reference whose number stands at `at`, with the path before it; null when it is none. */
function numberedAt(text: string, at: number, written: string, own: string): Reference | null {
  if (!own.includes('/')) return null;
  const isGh = written.startsWith('GH-');
  const mark = written.startsWith('!') ? '!' : '#';
  const number = written.replace(/^\D+/, '');
  const end = at + written.length;
  const path = isGh ? '' : pathBefore(text, at);
  const start = at - path.length;
  if (GLUED.test(text.charAt(start - 1)) || (isGh && PATH_CHARACTER.test(text.charAt(at - 1)))) return null;
  if (path.length === 1) return null;
  if (path !== '') {
    const project = path.includes('/') ? path : `${own.slice(0, own.lastIndexOf('/'))}/${path}`;
    return { key: `${spelled(project, own)}${mark}${number}`, start, end };
  }
  if (mark === '#' && isOtherNumber(text, at, end)) return null;
  return { key: `${own}${mark}${number}`, start: at, end };
}

/** The path that ends directly before `at`; empty when there is none, or when it only parts two numbers: `#12/#13`. */
function pathBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && at - start < LONGEST_PATH && PATH_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  while (start < at && /[._/-]/.test(text.charAt(start))) start += 1;
  const path = text.slice(start, at);
  return /^\d+[/-]$/.test(path) && text[start - 1] === '#' ? '' : path;
}

/** Whether a number is a colour, a rank or the number of something else than an issue. */
function isOtherNumber(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - NEAR), at);
  const after = text.slice(end, end + NEAR);
  const digits = text.slice(at + 1, end);
  if (/\]\($/.test(before) || COUNTED.test(before)) return true;
  if (Number(digits) <= HIGHEST_RANK && RANKED.test(before) && /^\s+\p{L}/u.test(after)) return true;
  if (!COLOUR_LENGTHS.has(digits.length)) return false;
  return COLOUR_WORD.test(before) || COLOUR_NEAR.test(before) || COLOUR_NEAR.test(after);
}
