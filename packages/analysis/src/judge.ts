import { cleanWithErrors } from './clean.ts';
import { explainPair } from './explain.ts';
import { areSiblingTitles } from './siblings.ts';
import { statesDuplicate } from './stated-duplicate.ts';
import { coverageOf, readTitle, type TitleWord } from './title-coverage.ts';
import { termsIn } from './tokenize.ts';
import { workOf } from './work.ts';

/** What two issues are to each other. */
export type Decision = 'duplicate' | 'overlapping' | 'unrelated' | 'undecided';

/** A decision with how sure it is, from 0 to 1, and the evidence in words. */
export interface Judgment {
  decision: Decision;
  confidence: number;
  reason: string;
  /** Why they are not one issue however alike they are, in a sentence; null when nothing speaks against it. */
  difference: string | null;
}

/** An issue as it is judged. */
export interface JudgedIssue {
  key: string;
  title: string;
  body: string;
}

/** Marks on similarity: from where texts are identical, nine in ten pairs are duplicates, and two in three are. */
export interface SimilarityMarks {
  identical: number;
  precise: number;
  similar: number;
}

/** So much of both titles is said by the other issue when they are one: less where they are more alike. */
const SAID = 0.85;
const SAID_IF_PRECISE = 0.75;
/** Under it two issues without a shared passage or error have nothing to do with each other; from `ALIKE` on they do. */
const UNLIKE = 0.3;
const ALIKE = 0.45;
/** Issues with one numbered thing in both titles, such as an advisory or an error code, have one cause from here on. */
const ALIKE_WITH_NUMBER = 0.55;
const NUMBERED = /^\p{L}{2,}[-_ ]?(?:\p{N}{2,}[-_])*\p{N}{3,}$/u;
/** From here on the errors that two issues quote are one error. */
const SAME_ERROR = 0.8;
/** How sure it is that issues overlap of which one only claims to be the other. */
const CLAIMED = 0.6;
const BODY_WORDS = 600;
const WORDS_TOLD = 4;
const LONGEST_QUOTE = 120;

/**
 * What two issues are to each other, by rules whose confidences were counted on labeled reports (docs/decisions). Never
 * `duplicate` when each title names something that the other issue does not say, or when one is other work on the same
 * thing, and never because an issue says so of itself: anybody can write that. The same texts always get the same judgment; `idf` weighs terms as `explainPair` takes it.
 */
export function judgePair(
  first: JudgedIssue,
  second: JudgedIssue,
  { similarity, marks, idf }: { similarity: number; marks: SimilarityMarks; idf: (term: string) => number },
): Judgment {
  if (similarity >= marks.identical) {
    const reason = 'The two texts are the same.';
    return { decision: 'duplicate', confidence: 0.99, reason, difference: null };
  }
  const findings = findingsOf(first, second, idf);
  const { difference } = findings;
  const shown = judged(findings, similarity, marks);
  const claim = claimOf(first, second);
  if (claim === null || shown.decision === 'duplicate') return { ...shown, difference };
  const reason = `${claim} ${difference ?? 'But their texts do not show it.'}`;
  return { decision: 'overlapping', confidence: CLAIMED, reason, difference };
}

/** What one of them says of itself and the other. */
function claimOf(first: JudgedIssue, second: JudgedIssue): string | null {
  for (const [one, other] of [
    [first, second],
    [second, first],
  ] as const) {
    if (statesDuplicate(one, other.key))
      return `${one.key} says itself that it is a duplicate of ${other.key}.`;
  }
  return null;
}

/** What the texts show, whatever they claim. */
type Shown = Omit<Judgment, 'difference'>;

interface Findings {
  /** The least share of a title that the other issue says. */
  coverage: number;
  /** Telling words that both titles have, as the first one writes them, the most telling first. */
  shared: string[];
  /** A numbered thing that both titles name. */
  numbered: string | null;
  /** Why they are not one issue however alike they are; null when nothing speaks against it. */
  difference: string | null;
  /** Nothing is named in one title that the other issue does not say. */
  namesAgree: boolean;
  /** The error that both quote. */
  error: string | null;
  hasSharedPassage: boolean;
}

function findingsOf(first: JudgedIssue, second: JudgedIssue, idf: (term: string) => number): Findings {
  const [ofFirst, ofSecond] = [
    readTitle(first.title, termsOf(second), idf),
    readTitle(second.title, termsOf(first), idf),
  ];
  const inBoth = wordsInBoth(first, second, idf);
  const evidence = explainPair(first, second, idf);
  const [onlyFirst, onlySecond] = [unsaidNames(ofFirst), unsaidNames(ofSecond)];
  return {
    coverage: Math.min(coverageOf(ofFirst), coverageOf(ofSecond)),
    shared: inBoth.slice(0, WORDS_TOLD).map(({ written }) => written),
    numbered: inBoth.find(({ written }) => NUMBERED.test(written))?.written ?? null,
    difference: differenceOf(first, second, onlyFirst, onlySecond),
    namesAgree: onlyFirst.length === 0 && onlySecond.length === 0,
    error: (evidence.error_text ?? 0) >= SAME_ERROR ? errorIn(first) : null,
    hasSharedPassage: evidence.shared.length > 0,
  };
}

function judged(found: Findings, similarity: number, marks: SimilarityMarks): Shown {
  const common = commonGround(found);
  if (found.difference !== null) {
    if (similarity < ALIKE) return unlike(found, similarity);
    return { decision: 'overlapping', confidence: 0.85, reason: `${common} ${found.difference}` };
  }
  const isPrecise = similarity >= marks.precise;
  const saysTheSame = found.coverage >= (isPrecise ? SAID_IF_PRECISE : SAID) && found.namesAgree;
  if (saysTheSame && similarity >= marks.similar) {
    const reason = `${common} Each issue says what the title of the other says.`;
    return { decision: 'duplicate', confidence: isPrecise ? 0.9 : 0.7, reason };
  }
  if (found.numbered !== null && similarity >= ALIKE_WITH_NUMBER) {
    return { decision: 'duplicate', confidence: 0.8, reason: `Both titles name ${found.numbered}.` };
  }
  if (found.error !== null || similarity >= ALIKE) {
    return { decision: 'overlapping', confidence: 0.7, reason: common };
  }
  return unlike(found, similarity);
}

function unlike(found: Findings, similarity: number): Shown {
  if (similarity < UNLIKE && found.error === null && !found.hasSharedPassage) {
    const reason = 'Their titles agree in little, and their descriptions share no passage.';
    return { decision: 'unrelated', confidence: 0.8, reason };
  }
  return {
    decision: 'undecided',
    confidence: 0.5,
    reason: `${commonGround(found)} That is too little to tell.`,
  };
}

function commonGround({ error, shared }: Findings): string {
  if (error !== null) return `Both quote the same error: “${error}”.`;
  if (shared.length > 0) return `Both titles say ${listed(shared)}.`;
  return 'They share words in their descriptions.';
}

function differenceOf(
  first: JudgedIssue,
  second: JudgedIssue,
  onlyFirst: readonly string[],
  onlySecond: readonly string[],
): string | null {
  if (onlyFirst.length > 0 && onlySecond.length > 0) {
    return `But ${first.key} names ${listed(onlyFirst)}, and ${second.key} names ${listed(onlySecond)}.`;
  }
  if (areSiblingTitles(first.title, second.title)) {
    return 'But their titles are one sentence about two different things.';
  }
  const [workOfFirst, workOfSecond] = [workOf(first.title), workOf(second.title)];
  if (workOfFirst === workOfSecond) return null;
  const [key, work] = workOfFirst === null ? [second.key, workOfSecond] : [first.key, workOfFirst];
  return `But ${key} is about ${work}, and the other is not.`;
}

function termsOf({ title, body }: JudgedIssue): Set<string> {
  return new Set([...termsIn(title, BODY_WORDS), ...termsIn(cleanWithErrors(body).text, BODY_WORDS)]);
}

/** The words of the first title that the second title has too, the most telling first. */
function wordsInBoth(first: JudgedIssue, second: JudgedIssue, idf: (term: string) => number): TitleWord[] {
  return readTitle(first.title, new Set(termsIn(second.title, BODY_WORDS)), idf)
    .filter(({ isSaid }) => isSaid)
    .sort((a, b) => b.weight - a.weight);
}

function unsaidNames(words: readonly TitleWord[]): string[] {
  return words.filter(({ isName, isSaid }) => isName && !isSaid).map(({ written }) => written);
}

function errorIn({ body }: JudgedIssue): string {
  const [line = ''] = cleanWithErrors(body).errorText.split('\n', 1);
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}

function listed(words: readonly string[]): string {
  const quoted = words.slice(0, WORDS_TOLD).map((word) => `“${word}”`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} and ${last}`;
}
