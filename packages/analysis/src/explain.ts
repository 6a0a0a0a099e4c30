import { countTerms } from './document-terms.ts';
import { languageOfIssue } from './language.ts';
import { compareTerms, normsOf } from './lexical.ts';
import {
  type CountedWords,
  countedWords,
  MIN_SINGLE_WORD_WEIGHT,
  type SharedRun,
  sharedRuns,
} from './shared-runs.ts';
import { UNSEEN_TERM } from './term-hash.ts';

/**
 * A passage that two descriptions share, with UTF-16 offsets (from, to) into each description as
 * written.
 */
interface SharedPassage {
  /** Text of the passage in the first description. */
  text: string;
  in1: [number, number];
  in2: [number, number];
}

/** Evidence of why two issues are similar, each part from 0 to 1. */
export interface Evidence {
  /** Share of both titles that the other issue contains. */
  title: number;
  /** Cosine of the words of the descriptions. */
  body: number;
  /** Cosine of the words of the quoted errors; null unless both quote one. */
  error_text: number | null;
  /** At most 20 passages, in the order of the first description. */
  shared: SharedPassage[];
}

/** Maximum words of a description that are searched for shared passages. */
const MAX_SEARCHED_WORDS = 6000;
const MAX_PASSAGES = 20;
const MAX_PASSAGE_CHARS = 1000;

/**
 * Minimum weight of a passage, relative to a word never seen. A single word needs only {@link
 * MIN_SINGLE_WORD_WEIGHT}.
 */
const MIN_PASSAGE_WEIGHT = 1.2;

/**
 * Explains why two issues are similar: the agreement of their titles, descriptions and quoted
 * errors, and the longest shared passages. `idf` gives the weight of a term (see `termWeights`).
 * Ignores form headings, stack frames and comments. Deterministic. A megabyte takes about as long
 * as its first 6,000 words.
 */
export function explainPair(
  first: { title: string; body: string },
  second: { title: string; body: string },
  idf: (term: string) => number,
): Evidence {
  const parts = compareTexts(first, second, idf);
  return {
    title: parts.title ?? 0,
    body: parts.body,
    error_text: parts.errorText,
    shared: sharedPassages(first, second, idf),
  };
}

function compareTexts(
  first: { title: string; body: string },
  second: { title: string; body: string },
  idf: (term: string) => number,
): ReturnType<typeof compareTerms> {
  const ids = new Map<string, number>();
  const idOf = (term: string): number => {
    const id = ids.get(term) ?? ids.size;
    ids.set(term, id);
    return id;
  };
  const [a, b] = [countTerms(first.title, first.body, idOf), countTerms(second.title, second.body, idOf)];
  const weights = Float64Array.from(ids.keys(), (term) => idf(term));
  return compareTerms(a, b, normsOf(a, weights), normsOf(b, weights), weights);
}

function sharedPassages(
  first: { title: string; body: string },
  second: { title: string; body: string },
  idf: (term: string) => number,
): SharedPassage[] {
  const most = idf(UNSEEN_TERM);
  const weightOf = (terms: readonly string[]): number =>
    most > 0 ? Math.min(1, Math.max(...terms.map(idf)) / most) : 0;
  const [a, b] = [
    countedWords(first.body, MAX_SEARCHED_WORDS, weightOf, languageOfIssue(first)),
    countedWords(second.body, MAX_SEARCHED_WORDS, weightOf, languageOfIssue(second)),
  ];
  const passages: SharedPassage[] = [];
  for (const run of sharedRuns(a, b)) {
    for (const piece of pieces(trimmed(run, a), a)) {
      if (passages.length === MAX_PASSAGES) break;
      const in1 = spanOf(a, piece.first, piece.length);
      passages.push({ text: first.body.slice(...in1), in1, in2: spanOf(b, piece.second, piece.length) });
    }
  }
  return passages.sort((p, q) => p.in1[0] - q.in1[0]);
}

/**
 * Removes weightless words from both ends of a run. Returns an empty run if the rest says too
 * little.
 */
function trimmed(run: SharedRun, words: CountedWords): SharedRun {
  let [from, to] = [run.first, run.first + run.length];
  while (from < to && words.weights[from] === 0) from += 1;
  while (to > from && words.weights[to - 1] === 0) to -= 1;
  const length = to - from;
  const least = length === 1 ? MIN_SINGLE_WORD_WEIGHT : MIN_PASSAGE_WEIGHT;
  if (run.weight < least) return { ...run, length: 0 };
  return { first: from, second: run.second + from - run.first, length, weight: run.weight };
}

/** Splits a long run between words into passages of at most 1,000 characters. */
function* pieces(run: SharedRun, words: CountedWords): Generator<SharedRun> {
  let done = 0;
  while (done < run.length) {
    const start = words.starts[run.first + done] ?? 0;
    let length = 1;
    while (
      done + length < run.length &&
      (words.ends[run.first + done + length] ?? 0) - start <= MAX_PASSAGE_CHARS
    ) {
      length += 1;
    }
    yield { first: run.first + done, second: run.second + done, length, weight: run.weight };
    done += length;
  }
}

function spanOf(words: CountedWords, from: number, length: number): [number, number] {
  return [words.starts[from] ?? 0, words.ends[from + length - 1] ?? 0];
}
