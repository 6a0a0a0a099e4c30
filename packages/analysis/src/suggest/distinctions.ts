import type { JudgedIssue } from '../judge.ts';
import { readTitle } from '../title-coverage.ts';
import { termsOf } from './telling-title.ts';

/** What sets one issue apart from another: something that its own text names and the other one does not. */
export interface Distinctions {
  /** Names and words of its title, as written, in their order. */
  inTitle: string[];
  /** A name, a version or a number is among them, so that the title tells the two apart already. */
  titleNames: boolean;
  /** Platforms, versions, errors of its description, as written: what the other issue has another one of comes first. */
  inBody: string[];
}

/** A word of less weight, against one that was never seen, tells nothing apart: “must”, “never”. */
const LEAST_WEIGHT = 0.6;
/** No text has this term, so its weight is that of a word never seen. */
const UNSEEN = '\u0000';
const SEVERAL = /^\p{Lu}{2,}s$/u;
const READ_CHARACTERS = 20_000;
const MOST_WORDS = 3;
const LONGEST_NAME = 60;

/** Kinds of things that reports of one fault differ in. Every quantifier that could meet another is bounded. */
const KINDS: readonly RegExp[] = [
  /\b(?:Windows|macOS|OS X|Linux|Ubuntu|Debian|Fedora|CentOS|Android|iOS|iPadOS)(?: (?:Server )?\d{1,4}(?:\.\d{1,3}){0,3})?(?![\w-])/g,
  /\b(?:Chrome|Chromium|Firefox|Safari|Edge|Opera)(?: \d{1,4}(?:\.\d{1,5}){0,3})?(?![\w-])/g,
  /(?<![\w.:/-])v?\d{1,5}\.\d{1,5}\.\d{1,5}(?:[.-][A-Za-z][A-Za-z0-9]{0,12}){0,3}(?![\w:/-])(?!\.\d)|(?<=\b(?:[Vv]ersion|[Rr]elease):? )\d{1,5}\.\d{1,5}(?!\w)(?!\.\d)/g,
  /\b[A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20}){1,6}\b|\b(?:[A-Z][a-z0-9]{1,30}){1,6}(?:Exception|Error)\b/g,
  /\b(?:Java|JDK|Node(?:\.js)?|Python|Docker|PostgreSQL|MySQL|Kubernetes) \d{1,4}(?:\.\d{1,5}){0,3}(?![\w.])/g,
];

/** What sets each of two issues apart from the other. */
export function distinctionsOf(
  first: JudgedIssue,
  second: JudgedIssue,
  idf: (term: string) => number,
): [Distinctions, Distinctions] {
  const namedBy = ({ title, body }: JudgedIssue) => {
    const text = `${title}\n${body.slice(0, READ_CHARACTERS)}`;
    return { text: text.toLowerCase(), kinds: KINDS.map((kind) => [...new Set(text.match(kind))]) };
  };
  const [ofFirst, ofSecond] = [namedBy(first), namedBy(second)];
  const only = (own: typeof ofFirst, others: typeof ofFirst) =>
    own.kinds.map((names) => names.filter((name) => !others.text.includes(name.toLowerCase())));
  const [onlyFirst, onlySecond] = [only(ofFirst, ofSecond), only(ofSecond, ofFirst)];
  return [
    { ...inTitle(first, second, idf), inBody: contrasted(onlyFirst, onlySecond) },
    { ...inTitle(second, first, idf), inBody: contrasted(onlySecond, onlyFirst) },
  ];
}

function inTitle(
  issue: JudgedIssue,
  other: JudgedIssue,
  idf: (term: string) => number,
): Pick<Distinctions, 'inTitle' | 'titleNames'> {
  const others = `${other.title}\n${other.body}`;
  const least = idf(UNSEEN) * LEAST_WEIGHT;
  const words = readTitle(issue.title, termsOf(other), idf).filter(
    // `PDFs` is no other thing than `PDF`.
    ({ isSaid, written, weight }) =>
      !isSaid && weight >= least && !(SEVERAL.test(written) && others.includes(written.slice(0, -1))),
  );
  const names = words.filter(({ isName }) => isName);
  const telling = (names.length > 0 ? names : words)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MOST_WORDS);
  return {
    inTitle: words.filter((word) => telling.includes(word)).map(({ written }) => written),
    titleNames: names.length > 0,
  };
}

/** One name of each kind: first those of kinds of which the other issue has one too. */
function contrasted(own: readonly string[][], others: readonly string[][]): string[] {
  const kinds = own.flatMap(([name], kind) =>
    name === undefined || name.length > LONGEST_NAME
      ? []
      : [{ name, isContrast: others[kind]?.length !== 0 }],
  );
  return [
    ...kinds.filter(({ isContrast }) => isContrast),
    ...kinds.filter(({ isContrast }) => !isContrast),
  ].map(({ name }) => name);
}
