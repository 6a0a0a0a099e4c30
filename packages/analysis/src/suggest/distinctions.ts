import { normalized } from '../normalized.ts';
import { stem } from '../stem.ts';
import { DOTTED_VERSION } from '../title-coverage.ts';
import { tokenize } from '../tokenize.ts';
import type { JudgedIssue } from '../verdict.ts';

/**
 * Names that distinguish an issue from another one. They occur in the texts of the first, and in no
 * form in the second.
 */
export interface Distinctions {
  /** Names in the title with their spelling, in order. */
  inTitle: string[];
  /**
   * Platforms, versions and errors in the description with their spelling. If the other issue has
   * another name of the same kind, the name comes first.
   */
  inBody: string[];
}

/** Maximum characters of a description that are searched for names, in UTF-16 code units. */
const MAX_BODY_CHARS_SEARCHED = 20_000;
const MAX_TITLE_DISTINCTIONS = 3;
/** Maximum length of a name, in UTF-16 code units. */
const MAX_DISTINCTION_CHARS = 60;

/**
 * Matches an identifier: a digit after a letter, a capital inside a word, or parts joined by a
 * period or underscore. Other words of a title are everyday words.
 */
const IDENTIFIER = /^\p{L}.*\p{N}|^\p{L}*\p{Ll}\p{L}*\p{Lu}|^\p{Lu}{2,}\p{Ll}|\p{L}{2}[._]\p{L}{2}/u;
const ABBREVIATION = /^\p{Lu}{2,5}$/u;
/** Everyday words that authors write in capitals for emphasis. */
const EVERYDAY_WORDS: ReadonlySet<string> = new Set(
  'a about after again all also always am an and any app are as asap at bad be been before both broke bug but by can crash did do does down each empty error even ever every fail fails fast few file files fix for from full get gets go gone good has have help hide high how if in into is issue it its just keep less lets link links lose loses loss lost low made make many may might mine more most much must my need needs never new no none nor not now of off often ok old on once one only open or other ought our out over per pls quick same seen shall she show shown slow so some soon still stop stops stuck such test than that the their them then there these they this those to todo too two under until up urgent us use used user users very was way we well went were what when where which while who whom whose why will wip with won work works would wrong yes yet you your'.split(
    ' ',
  ),
);
/** True for a word that may occur in any text and therefore distinguishes nothing. */
export function isEverydayWord(word: string): boolean {
  return EVERYDAY_WORDS.has(word.toLowerCase());
}

const SHOUTED = /^[^\p{Ll}]*$/u;

/**
 * Kinds of names in which reports of the same problem may differ. Quantifiers that could overlap
 * are bounded.
 */
export const NAME_PATTERNS: readonly RegExp[] = [
  /\b(?:Windows|macOS|OS X|Linux|Ubuntu|Debian|Fedora|CentOS|Android|iOS|iPadOS)(?: (?:Server )?\d{1,4}(?:\.\d{1,3}){0,3})?(?![\w-])/g,
  /\b(?:(?:Chrome|Chromium|Firefox|Safari)(?: \d{1,4}(?:\.\d{1,5}){0,3})?|(?:Edge|Opera) \d{1,4}(?:\.\d{1,5}){0,3})(?![\w-])/g,
  /(?<![\w.:/-])v?\d{1,5}\.\d{1,5}\.\d{1,5}(?:[.-][A-Za-z][A-Za-z0-9]{0,12}){0,3}(?![\w:/-])(?!\.\d)|(?<=\b(?:[Vv]ersion|[Rr]elease):? )\d{1,5}\.\d{1,5}(?!\w)(?!\.\d)/g,
  /\b[A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20}){1,6}\b|\b(?:[A-Z][a-z0-9]{1,30}){1,6}(?:Exception|Error)\b/g,
  /\b(?:Java|JDK|Node(?:\.js)?|Python|Docker|PostgreSQL|MySQL|Kubernetes) \d{1,4}(?:\.\d{1,5}){0,3}(?![\w.])/g,
];

/** Returns, for each of two issues, the names that distinguish it from the other. */
export function distinctionsOf(first: JudgedIssue, second: JudgedIssue): [Distinctions, Distinctions] {
  const [onlyFirst, onlySecond] = [namesMissingIn(second, first), namesMissingIn(first, second)];
  return [
    { inTitle: onlyFirst.inTitle, inBody: contrasted(onlyFirst.kinds, onlySecond.kinds) },
    { inTitle: onlySecond.inTitle, inBody: contrasted(onlySecond.kinds, onlyFirst.kinds) },
  ];
}

/** Returns the names of an issue that do not occur in `other` in any form. */
function namesMissingIn(
  other: JudgedIssue,
  { title, body }: JudgedIssue,
): { inTitle: string[]; kinds: string[][] } {
  const stands = formsIn(`${other.title}\n${other.body}`);
  const isMissing = (name: string) => name.length <= MAX_DISTINCTION_CHARS && !stands(name);
  const text = `${title}\n${body.slice(0, MAX_BODY_CHARS_SEARCHED)}`;
  return {
    inTitle: namesInTitle(title).filter(isMissing).slice(0, MAX_TITLE_DISTINCTIONS),
    kinds: NAME_PATTERNS.map((kind) => [...new Set(text.match(kind))].filter(isMissing)),
  };
}

function namesInTitle(title: string): string[] {
  const words = Array.from(tokenize(title), ({ start, end }) => title.slice(start, end));
  const isAbbreviation = (word: string) =>
    ABBREVIATION.test(word) && !SHOUTED.test(title) && !EVERYDAY_WORDS.has(word.toLowerCase());
  const names = words.filter(
    (word) => DOTTED_VERSION.test(word) || IDENTIFIER.test(word) || isAbbreviation(word),
  );
  const inKinds = NAME_PATTERNS.flatMap((kind) => title.match(kind) ?? []);
  const isPart = (name: string) => inKinds.some((whole) => whole !== name && whole.includes(name));
  return [...new Set([...names, ...inKinds])]
    .filter((name) => !isPart(name))
    .toSorted((a, b) => title.indexOf(a) - title.indexOf(b));
}

/**
 * Returns a function that returns true if a name occurs in the text. It ignores case and
 * punctuation. A name also occurs within a longer word, or as a plural.
 */
export function formsIn(text: string): (name: string) => boolean {
  const written = text.toLowerCase();
  const bare = lettersOf(text);
  return (name) => {
    const letters = lettersOf(name);
    return written.includes(name.toLowerCase()) || bare.includes(letters) || bare.includes(stem(letters));
  };
}

function lettersOf(text: string): string {
  return normalized(text, 'NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

/** Returns one name of each kind. Kinds for which the other issue also has a name come first. */
function contrasted(own: readonly string[][], others: readonly string[][]): string[] {
  const kinds = own.flatMap(([name], kind) =>
    name === undefined ? [] : [{ name, isContrast: others[kind]?.length !== 0 }],
  );
  return [
    ...kinds.filter(({ isContrast }) => isContrast),
    ...kinds.filter(({ isContrast }) => !isContrast),
  ].map(({ name }) => name);
}
