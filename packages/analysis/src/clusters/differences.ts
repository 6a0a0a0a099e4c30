import { cleanBody } from '../clean.ts';
import { areEqualTitles } from '../series.ts';
import { areSiblings, titleWords } from '../siblings.ts';
import type { Link } from './cluster-pairs.ts';
import type { Constraint } from './constraints.ts';

/** The fields of an issue that can show that two issues are different. */
export interface DistinguishedIssue {
  id: string;
  title: string;
  body: string;
  /** Common words of the titles of its series, or null; see `findSeries`. */
  series: string | null;
}

/**
 * Patterns of error codes, one per family. Two issues with different codes of one family are
 * different. Exit codes and signals are missing here, because one fault causes several of them.
 */
const CODE_FAMILIES: readonly RegExp[] = [
  // HTTP: "HTTP 404", "status code 502", "500 Internal Server Error"
  /\b(?:HTTP(?:\/\d(?:\.\d)?)?|status(?: code)?:?|error:?) ([45]\d\d)\b|\b([45]\d\d) (?:error|not found|internal server error|bad gateway|forbidden|unauthorized)\b/gi,
  // Compilers and databases: "E0277", "TS2345", "ORA-00942", "SQLSTATE 42P01"
  /\b(E0\d{3}|(?:TS|CS|LNK|MSB)\d{4,5}|ORA-\d{5})\b/g,
  /\bSQLSTATE[ [:=]{1,2}([0-9A-Z]{5})\b/g,
  // Error codes of operating systems and Node.js: "0x80070005", "ENOENT", "ERR_INVALID_URL"
  /\b(0x[8C][0-9A-F]{7})\b/gi,
  /\b(E(?:ACCES|ADDRINUSE|AGAIN|BUSY|CONNREFUSED|CONNRESET|EXIST|INVAL|IO|ISDIR|MFILE|NOENT|NOMEM|NOSPC|NOTDIR|PERM|PIPE|ROFS|TIMEDOUT))\b/g,
  /\b(ERR_[A-Z0-9_]{3,60})\b/g,
  /\b(CVE-\d{4}-\d{4,7})\b/gi,
];

const NO_CODES = CODE_FAMILIES.map((): ReadonlySet<string> => new Set());
/** Markup that may surround or divide an error code, such as “HTTP **404**”. */
const CODE_MARKUP = /[*`]+|<[^<>\n]{1,60}>/g;

/**
 * Returns cannot-links for pairs that reach the threshold but report different things. The signs
 * are different error codes, two members of one series, or titles that differ only in the thing
 * they are about.
 */
export function cannotLinks(
  links: readonly Link[],
  issues: ReadonlyMap<string, DistinguishedIssue>,
  { threshold }: { threshold: number },
): Constraint[] {
  const read = new Map<string, ReturnType<typeof readIssue>>();
  const readOf = (issue: DistinguishedIssue): ReturnType<typeof readIssue> => {
    const known = read.get(issue.id) ?? readIssue(issue);
    read.set(issue.id, known);
    return known;
  };
  return links.flatMap(({ a, b, probability }): Constraint[] => {
    const [first, second] = [issues.get(a), issues.get(b)];
    if (probability < threshold || first === undefined || second === undefined) return [];
    const reason = differenceOf(first, second, readOf);
    return reason === null ? [] : [{ a, b, type: 'cannot', source: 'rule', reason }];
  });
}

function readIssue({ title, body }: DistinguishedIssue) {
  // Cleaning is slow and only removes text. It is skipped unless the text before cleaning may
  // contain an error code.
  const written = `${title}\n${body.replace(CODE_MARKUP, '')}`;
  const isCleaned = CODE_FAMILIES.some((family) => written.search(family) >= 0);
  return { words: titleWords(title), codes: isCleaned ? codesIn(`${title}\n${cleanBody(body)}`) : NO_CODES };
}

function differenceOf(
  first: DistinguishedIssue,
  second: DistinguishedIssue,
  readOf: (issue: DistinguishedIssue) => ReturnType<typeof readIssue>,
): string | null {
  if (first.series !== null && first.series === second.series) {
    return areEqualTitles(first.title, second.title) ? null : `Both belong to the series “${first.series}”.`;
  }
  const [one, other] = [readOf(first), readOf(second)];
  for (const [family, codes] of one.codes.entries()) {
    const others = other.codes[family] ?? new Set<string>();
    const [code] = codes;
    const [otherCode] = others;
    if (code === undefined || otherCode === undefined || [...codes].some((each) => others.has(each)))
      continue;
    return `They report different error codes: “${code}” and “${otherCode}”.`;
  }
  return areSiblings(one.words, other.words)
    ? 'Their titles are the same sentence about two different things.'
    : null;
}

function codesIn(text: string): ReadonlySet<string>[] {
  return CODE_FAMILIES.map(
    (family) =>
      new Set(Array.from(text.matchAll(family), ([, code, other]) => (code ?? other ?? '').toUpperCase())),
  );
}
