import { cleanWithErrors } from './clean.ts';
import { explainPair } from './explain.ts';
import { isEnglishStopWord, type Language, languageOfIssue } from './language.ts';
import { quotedList } from './quoted-list.ts';
import { areEqualTitles, shareFrame } from './series.ts';
import { areSiblingTitles } from './siblings.ts';
import { statesDuplicate } from './stated-duplicate.ts';
import { UNSEEN_TERM } from './term-hash.ts';
import { coverageOf, readTitle, type TitleWord } from './title-coverage.ts';
import { hasUnspacedWords, termsIn } from './tokenize.ts';
import { workKindOf } from './work-kind.ts';

/** Decision about two issues. `overlapping` means that they are related, but not duplicates. */
type Decision = 'duplicate' | 'overlapping' | 'unrelated' | 'undecided';

/**
 * Relation of two issues, finer than `Decision`. A `duplicate` is `same`. `likely_same` and
 * `related` are both `overlapping`. `different` is `unrelated`, and `unclear` is `undecided`.
 */
export type Relation = 'same' | 'likely_same' | 'related' | 'different' | 'unclear';

/** A decision about two issues, with its confidence from 0 to 1 and the evidence as a sentence. */
export interface AnalystVerdict {
  decision: Decision;
  confidence: number;
  reason: string;
  /**
   * A sentence that says why the two issues are not duplicates although they are similar. Null
   * without such a reason.
   */
  difference: string | null;
}

/** A verdict that the rules return. */
export interface RuleVerdict extends AnalystVerdict {
  relation: Relation;
}

/** The fields of an issue that the rules read. */
export interface JudgedIssue {
  key: string;
  title: string;
  body: string;
}

/** Threshold of the similarity. Texts that reach `identical` count as identical. */
export interface SimilarityMarks {
  identical: number;
}

/** Facts about a pair that do not come from its texts. */
export interface PairLikelihood {
  /** Probability that the two issues are duplicates. */
  probability: number;
  /** True if each issue is the most similar issue of the other. */
  isMutualBest: boolean;
  /** Common words of the titles in their series, or null if the issues are not in one series. */
  seriesFrame: string | null;
  /** Thresholds of the probability, in ascending order. */
  marks: { related: number; likely: number; reworded: number; sure: number };
}

/** Minimum share of each title's words in the other title, for two issues to be duplicates. */
const MIN_SHARE_IN_TITLE = 0.75;
/** The same minimum for pairs of higher probability. Their titles may be worded differently. */
const MIN_SHARE_REWORDED = 0.5;
/**
 * Minimum share of each title's words that the other issue must contain in title or description.
 */
const MIN_SHARE_ANYWHERE = 0.75;
/**
 * Minimum letters of a word that counts as a difference. Shorter words, such as articles, count
 * only if they are names.
 */
const MIN_TELLING_LETTERS = 4;
/**
 * The same minimum for Chinese, where most words have two letters. It also applies if the titles
 * differ in a single word, such as "get" and "cp".
 */
const MIN_SHORT_TELLING_LETTERS = 2;
/**
 * Minimum weight of a compound name that shows two issues to be duplicates. A share of the maximum
 * weight.
 */
const MIN_RARITY = 0.85;
const COMPOUND_IDENTIFIER = /[\p{L}\p{N}][#.:_-][\p{L}\p{N}]|\p{Ll}\p{Lu}.*\p{Ll}\p{Lu}/u;
const ERROR_TITLE =
  /\b(?:assert|assertion|panicked|exception|internal (?:compiler )?error|segfault|segmentation fault)/i;
/**
 * Maximum similarity of unrelated issues, which also have no passage and no error in common.
 * Duplicates in other words often have a low similarity. A higher limit calls more than 2 % of them
 * unrelated (docs/decisions/0041).
 */
const UNRELATED_BELOW = 0.008;
/** Minimum similarity of related issues that quote no common error. */
const MIN_RELATED_SIMILARITY = 0.45;
const NUMBERED_CODE = /^\p{L}{2,}[-_ ]?(?:\p{N}{2,}[-_])*\p{N}{3,}$/u;
/** Minimum similarity of two quoted errors that count as the same error. */
const MIN_ERROR_SIMILARITY = 0.8;
/** Confidence that two issues are related if one states that it is a duplicate of the other. */
const CLAIM_CONFIDENCE = 0.6;
const MAX_READ_WORDS = 600;
const MAX_QUOTED_LINE_CHARS = 120;

/**
 * Judges whether two issues are duplicates, from their probability. Rules apply first: equal texts,
 * named differences, follow-up work, series, and mutual best matches (docs/decisions/0041).
 * Deterministic. `idf` returns the weight of a term, as in `explainPair`.
 *
 * Never returns `duplicate` if each title names something that the other issue lacks, or if one
 * issue is follow-up work. An issue's statement that it is a duplicate is never enough, because
 * anyone can write it.
 */
export function judgePair(
  first: JudgedIssue,
  second: JudgedIssue,
  options: {
    similarity: number;
    marks: SimilarityMarks;
    idf: (term: string) => number;
    likelihood: PairLikelihood;
  },
): RuleVerdict {
  const { similarity, marks, idf, likelihood } = options;
  if (similarity >= marks.identical) {
    const reason = 'The two texts are the same.';
    return { decision: 'duplicate', relation: 'same', confidence: 0.99, reason, difference: null };
  }
  const findings = findingsOf(first, second, idf);
  const difference = findings.difference ?? ofOneSeries(first, second, likelihood);
  const shown = judged({ ...findings, difference }, similarity, likelihood);
  const claim = claimOf(first, second);
  if (claim === null || shown.decision === 'duplicate') return { ...shown, difference };
  const reason = `${claim} ${difference ?? 'But their texts do not confirm this.'}`;
  const { relation, confidence } =
    shown.relation === 'likely_same' ? shown : { relation: 'related' as const, confidence: CLAIM_CONFIDENCE };
  return { decision: 'overlapping', relation, confidence, reason, difference };
}

/**
 * Returns a sentence that both issues belong to one series. Null if they do not, or if their titles
 * are equal.
 */
function ofOneSeries(
  first: JudgedIssue,
  second: JudgedIssue,
  { seriesFrame }: PairLikelihood,
): string | null {
  if (seriesFrame === null || areEqualTitles(first.title, second.title)) return null;
  return `But both belong to the series “${seriesFrame}”.`;
}

/**
 * If one of the issues claims to be a duplicate of the other, returns a sentence that says so.
 * Otherwise returns null.
 */
function claimOf(first: JudgedIssue, second: JudgedIssue): string | null {
  for (const [one, other] of [
    [first, second],
    [second, first],
  ] as const) {
    if (statesDuplicate(one, other.key)) return `${one.key} states that it is a duplicate of ${other.key}.`;
  }
  return null;
}

/** A verdict based on the texts alone, without statements about duplicates. */
type Shown = Omit<RuleVerdict, 'difference'>;

interface Findings {
  /** Share of each title's words that the other title contains. The smaller of both shares. */
  inTitles: number;
  /** Share of each title's words that the other issue contains. The smaller of both shares. */
  anywhere: number;
  /** True if both titles quote an error. The same error may have different causes. */
  areErrors: boolean;
  /** Rare compound name in both titles, or null. */
  name: string | null;
  /** Words that occur in both titles, rarest first. Spelled as in the first title. */
  shared: string[];
  /** Name with a number, such as a code, in both titles; or null. */
  numbered: string | null;
  /** Sentence that says why the issues are not duplicates although they are similar; or null. */
  difference: string | null;
  /** True if no title names anything that the other issue lacks. */
  namesAgree: boolean;
  /** Error that both issues quote, or null. */
  error: string | null;
  hasSharedPassage: boolean;
}

function findingsOf(first: JudgedIssue, second: JudgedIssue, idf: (term: string) => number): Findings {
  const languages = { first: languageOfIssue(first), second: languageOfIssue(second) };
  const [ofFirst, ofSecond] = [
    readTitle(first.title, termsOf(second, languages.second), idf, languages.first),
    readTitle(second.title, termsOf(first, languages.first), idf, languages.second),
  ];
  const titleTerms = {
    first: new Set(termsIn(first.title, MAX_READ_WORDS, languages.first)),
    second: new Set(termsIn(second.title, MAX_READ_WORDS, languages.second)),
  };
  const alone = {
    first: readTitle(first.title, titleTerms.second, idf, languages.first),
    second: readTitle(second.title, titleTerms.first, idf, languages.second),
  };
  const inBoth = saidByRarity(alone.first);
  const evidence = explainPair(first, second, idf);
  const [onlyFirst, onlySecond] = [missingNames(ofFirst), missingNames(ofSecond)];
  return {
    inTitles: Math.min(coverageOf(alone.first), coverageOf(alone.second)),
    areErrors: ERROR_TITLE.test(first.title) && ERROR_TITLE.test(second.title),
    anywhere: Math.min(coverageOf(ofFirst), coverageOf(ofSecond)),
    name:
      inBoth.find(
        ({ written, weight }) => COMPOUND_IDENTIFIER.test(written) && weight >= MIN_RARITY * idf(UNSEEN_TERM),
      )?.written ?? null,
    shared: inBoth.map(({ written }) => written),
    numbered: inBoth.find(({ written }) => NUMBERED_CODE.test(written))?.written ?? null,
    difference: differenceOf(first, second, onlyFirst, onlySecond) ?? frameDifference(first, second, alone),
    namesAgree: onlyFirst.length === 0 && onlySecond.length === 0,
    error: (evidence.error_text ?? 0) >= MIN_ERROR_SIMILARITY ? errorIn(first) : null,
    hasSharedPassage: evidence.shared.length > 0,
  };
}

/**
 * Returns the words that occur in both titles, rarest first. They are spelled as in the first
 * title. `idf` returns the weight of a term.
 */
export function sharedTitleWords(
  first: Omit<JudgedIssue, 'key'>,
  second: Omit<JudgedIssue, 'key'>,
  idf: (term: string) => number,
): string[] {
  const secondTerms = new Set(termsIn(second.title, MAX_READ_WORDS, languageOfIssue(second)));
  const words = readTitle(first.title, secondTerms, idf, languageOfIssue(first));
  return saidByRarity(words).map(({ written }) => written);
}

function saidByRarity(words: readonly TitleWord[]): TitleWord[] {
  return words.filter(({ isCovered }) => isCovered).sort((a, b) => b.weight - a.weight);
}

function judged(
  found: Findings,
  similarity: number,
  { probability, isMutualBest, marks }: PairLikelihood,
): Shown {
  const common = commonGround(found);
  if (found.difference !== null) {
    if (similarity < MIN_RELATED_SIMILARITY && probability < marks.likely)
      return unlike(found, similarity, probability, marks);
    const reason = `${common} ${found.difference}`;
    return { decision: 'overlapping', relation: 'related', confidence: 0.85, reason };
  }
  if (isMutualBest && probability >= marks.likely && found.namesAgree) {
    const confidence = 0.9;
    if (titlesAgree(found, probability, marks)) {
      const reason = `${common} Each issue contains most words of the other’s title.`;
      return { decision: 'duplicate', relation: 'same', confidence, reason };
    }
    const name = found.numbered ?? (probability >= marks.sure ? found.name : null);
    if (name !== null) {
      return { decision: 'duplicate', relation: 'same', confidence, reason: `Both titles name “${name}”.` };
    }
  }
  if (probability >= marks.likely) {
    return { decision: 'overlapping', relation: 'likely_same', confidence: probability, reason: common };
  }
  if (found.error !== null || similarity >= MIN_RELATED_SIMILARITY) {
    return { decision: 'overlapping', relation: 'related', confidence: 0.7, reason: common };
  }
  return unlike(found, similarity, probability, marks);
}

/**
 * True if each issue contains most words of the other's title. The lower the probability, the more
 * words must agree. Titles that quote an error are accepted only from `sure` upward, because an
 * error may have several causes.
 */
function titlesAgree(
  { anywhere, inTitles, areErrors }: Findings,
  probability: number,
  marks: PairLikelihood['marks'],
): boolean {
  if (anywhere < MIN_SHARE_ANYWHERE) return false;
  if (probability >= marks.sure) return true;
  return !areErrors && inTitles >= (probability >= marks.reworded ? MIN_SHARE_REWORDED : MIN_SHARE_IN_TITLE);
}

function unlike(
  found: Findings,
  similarity: number,
  probability: number,
  marks: PairLikelihood['marks'],
): Shown {
  const sharesNothing = found.error === null && found.shared.length === 0 && !found.hasSharedPassage;
  if (similarity < UNRELATED_BELOW && probability < marks.related && sharesNothing) {
    const reason = 'Their titles have little in common, and their descriptions share no passage.';
    return { decision: 'unrelated', relation: 'different', confidence: 0.8, reason };
  }
  return {
    decision: 'undecided',
    relation: 'unclear',
    confidence: 0.5,
    reason: `${commonGround(found)} That is not enough to decide whether they are the same issue.`,
  };
}

function commonGround({ error, shared }: Findings): string {
  if (error !== null) return `Both quote the same error: “${error}”.`;
  if (shared.length > 0) return `Both titles mention ${quotedList(shared)}.`;
  return 'They share words in their descriptions.';
}

function differenceOf(
  first: JudgedIssue,
  second: JudgedIssue,
  onlyFirst: readonly string[],
  onlySecond: readonly string[],
): string | null {
  if (onlyFirst.length > 0 && onlySecond.length > 0) {
    return `But ${first.key} names ${quotedList(onlyFirst)}, and ${second.key} names ${quotedList(onlySecond)}.`;
  }
  if (areSiblingTitles(first.title, second.title)) {
    return 'But their titles are the same sentence about two different things.';
  }
  const [firstWork, secondWork] = [workKindOf(first.title), workKindOf(second.title)];
  if (firstWork === secondWork) return null;
  const [key, work] = firstWork === null ? [second.key, secondWork] : [first.key, firstWork];
  return `But ${key} is ${work}, and the other issue is not.`;
}

/**
 * Returns the difference of two titles that are equal except for one to three words. Null unless
 * each title has a distinctive word that the other lacks. If the titles differ in a single word, it
 * is distinctive unless it is a stop word.
 */
function frameDifference(
  first: JudgedIssue,
  second: JudgedIssue,
  alone: { first: readonly TitleWord[]; second: readonly TitleWord[] },
): string | null {
  if (!shareFrame(first.title, second.title)) return null;
  const [ofFirst, ofSecond] = onlyWords(first.title, second.title) ?? [
    missingWords(alone.first),
    missingWords(alone.second),
  ];
  if (ofFirst.length === 0 || ofSecond.length === 0) return null;
  return `But ${first.key} says ${quotedList(ofFirst)} where ${second.key} says ${quotedList(ofSecond)}.`;
}

/**
 * If each title has a single word that the other lacks, returns these words. Null otherwise, and if
 * a word is a stop word.
 */
function onlyWords(first: string, second: string): [[string], [string]] | null {
  const [ofFirst, ofSecond] = [unsaidWords(first, second), unsaidWords(second, first)];
  const [one, other] = [ofFirst[0], ofSecond[0]];
  if (one === undefined || other === undefined || ofFirst.length + ofSecond.length > 2) return null;
  const areTelling = [one, other].every(
    (word) => word.length >= MIN_SHORT_TELLING_LETTERS && !isEnglishStopWord(word),
  );
  return areTelling ? [[one], [other]] : null;
}

/** Returns the words of a title that the other title lacks, including frequent words. */
function unsaidWords(title: string, other: string): string[] {
  return readTitle(title, new Set(termsIn(other, MAX_READ_WORDS)), () => 1)
    .filter(({ isCovered }) => !isCovered)
    .map(({ written }) => written);
}

function missingWords(words: readonly TitleWord[]): string[] {
  return words
    .filter(({ isCovered, isName, written }) => {
      const least = hasUnspacedWords(written) ? MIN_SHORT_TELLING_LETTERS : MIN_TELLING_LETTERS;
      return !isCovered && (isName || written.length >= least);
    })
    .map(({ written }) => written);
}

function termsOf({ title, body }: JudgedIssue, language: Language | null): Set<string> {
  const { text } = cleanWithErrors(body);
  return new Set([...termsIn(title, MAX_READ_WORDS, language), ...termsIn(text, MAX_READ_WORDS, language)]);
}

function missingNames(words: readonly TitleWord[]): string[] {
  return words.filter(({ isName, isCovered }) => isName && !isCovered).map(({ written }) => written);
}

function errorIn({ body }: JudgedIssue): string {
  const [line = ''] = cleanWithErrors(body).errorText.split('\n', 1);
  return line.length > MAX_QUOTED_LINE_CHARS ? `${line.slice(0, MAX_QUOTED_LINE_CHARS)}…` : line;
}
