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

/** A passage in both descriptions. `in1` and `in2` are its ranges [from, to) in UTF-16 offsets. */
interface SharedPassage {
  /** The passage as spelled in the first description. */
  text: string;
  in1: [number, number];
  in2: [number, number];
}

/** Evidence for the similarity of two issues. All numbers are from 0 to 1. */
export interface Evidence {
  /**
   * Share of the title words, by squared weight, that the other issue contains. Covers both titles.
   */
  title: number;
  /** Cosine similarity of the words of both descriptions. */
  body: number;
  /**
   * Cosine similarity of the words of the quoted errors. Null unless both issues quote an error.
   */
  error_text: number | null;
  /** At most 20 passages, in the order of the first description. */
  shared: SharedPassage[];
}

/** Maximum words of a description that are searched for common passages. */
const MAX_SEARCHED_WORDS = 6000;
const MAX_PASSAGES = 20;
const MAX_PASSAGE_CHARS = 1000;

/**
 * Minimum weight of a common passage. A word that occurs in no issue has weight 1. For a single
 * word, the minimum is {@link MIN_SINGLE_WORD_WEIGHT}.
 */
const MIN_PASSAGE_WEIGHT = 1.2;

/**
 * Explains the similarity of two issues. Returns how far their titles, descriptions and quoted
 * errors agree, and the longest passages in both. `idf` returns the weight of a term (see
 * `termWeights`). Ignores form headings, stack frames and comments.
 *
 * Deterministic. The time is limited, because only the first 6,000 words of a description are
 * searched.
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
 * Removes words without weight from both ends of a common passage. Returns an empty passage if the
 * remaining words have too little weight.
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

/** Splits a long passage into passages of at most 1,000 characters, at word boundaries. */
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
