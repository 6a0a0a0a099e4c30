import type { Reading } from './read-issue.ts';
import type { Statement } from './statement.ts';
import type { Evidence, Finding } from './types.ts';

/** Result of a check: a score from 0 to 1, a note, evidence and a suggested fix. */
export type CheckResult = Omit<Finding, 'id' | 'score'> & { score: number };

/**
 * One part of a criterion, such as “why it matters”. The score of a criterion combines its aspects.
 */
export interface Aspect {
  /** Name of the aspect. Notes use it after “Says”. */
  name: string;
  /** Question to the author if the aspect is missing. */
  question: string;
  /** Share of the aspect in the score of the criterion. */
  weight: number;
  /** How clearly the issue contains the aspect, from 0 to 1. */
  strength: number;
  /** Passages of the issue that contain the aspect. */
  from: readonly (Evidence | undefined)[];
}

/** Maximum passages displayed per finding. */
const MAX_EVIDENCE_PASSAGES = 3;
/** Minimum strength of an aspect that counts as present. */
const MIN_PRESENT_STRENGTH = 0.5;
/** Minimum strength of an aspect whose passages are displayed. */
const MIN_EVIDENCE_STRENGTH = 0.2;
/**
 * Strength assumed for each aspect if the language of the text is unknown. This value is for a long
 * text; shorter texts get less.
 */
const MAX_ASSUMED_STRENGTH = 0.6;
/** Number of words at which a description counts as nearly two thirds complete. */
const TYPICAL_WORD_COUNT = 40;

/** Returns how complete a description is by its length, from 0 to 1. */
export function substanceOf(reading: Reading): number {
  return 1 - Math.exp(-wordsOfBody(reading) / TYPICAL_WORD_COUNT);
}

/** Returns the number of words in the description of an issue. */
export function wordsOfBody({ body }: Reading): number {
  return body.reduce((sum, { words }) => sum + words, 0);
}

/** Returns the first statements for which `finds` returns true, at most `most`. */
export function firstMatches(
  statements: readonly Statement[],
  finds: (text: string, statement: Statement) => boolean,
  most = 1,
): Statement[] {
  const found: Statement[] = [];
  for (const statement of statements) {
    if (found.length === most) break;
    if (finds(statement.text, statement)) found.push(statement);
  }
  return found;
}

/**
 * Returns 1 if a statement is in the description, and `inTitle` if all are in the title. Returns 0
 * without statements.
 */
export function strengthOf(found: readonly Statement[], inTitle = 0.5): number {
  if (found.length === 0) return 0;
  return found.some(({ field }) => field === 'body') ? 1 : inTitle;
}

/** Computes the score of a criterion from its aspects. Subtracts a penalty if one is given. */
export function scoreAspects(
  reading: Reading,
  aspects: readonly Aspect[],
  against: { note: string; amount: number; from: readonly Evidence[]; fix: string } | null = null,
): CheckResult {
  const assumed = reading.isWordingKnown ? 0 : MAX_ASSUMED_STRENGTH * substanceOf(reading);
  const strengths = aspects.map(({ strength }) => Math.max(strength, assumed));
  const sum = aspects.reduce((total, { weight }, index) => total + weight * (strengths[index] ?? 0), 0);
  const score = clampScore(sum - (against?.amount ?? 0));
  const present = aspects.filter((_, index) => (strengths[index] ?? 0) >= MIN_PRESENT_STRENGTH);
  const missing = aspects.filter((aspect) => !present.includes(aspect));
  const shown = [...present, ...missing.filter(({ strength }) => strength >= MIN_EVIDENCE_STRENGTH)];
  // If some aspects are missing, asks for one of these. Otherwise asks for an incomplete one.
  const heaviest = aspects
    .map((aspect, index) => ({ aspect, missing: aspect.weight * (1 - (strengths[index] ?? 0)) }))
    .filter(({ aspect }) => missing.length === 0 || missing.includes(aspect))
    .reduce((a, b) => (b.missing > a.missing ? b : a));
  const fix = against !== null && against.amount >= heaviest.missing ? against.fix : heaviest.aspect.question;
  const notes = [
    present.length === 0 ? '' : `Says ${joinWords(present.map(({ name }) => name))}.`,
    missing.length === 0
      ? ''
      : `${present.length === 0 ? 'Does not say' : 'Missing:'} ${joinWords(missing.map(({ name }) => name))}.`,
    against?.note ?? '',
  ];
  return {
    score,
    note: notes.filter((note) => note !== '').join(' '),
    evidence: evidenceOf([...(against?.from ?? []), ...shown.flatMap(({ from }) => from)]),
    fix: score === 1 ? null : fix,
  };
}

/** Limits a score to the range 0 to 1, and rounds it to hundredths. */
export function clampScore(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 100) / 100;
}

/**
 * Selects passages for display, at most three, without repetitions. Sorts them in the order of the
 * text.
 */
export function evidenceOf(from: readonly (Evidence | undefined)[]): Evidence[] {
  const kept = new Map<string, Evidence>();
  for (const passage of from) {
    if (passage === undefined || passage.end <= passage.start || kept.size === MAX_EVIDENCE_PASSAGES)
      continue;
    const { field, start, end } = passage;
    kept.set(`${field}${start}`, { field, start, end });
  }
  return [...kept.values()].sort((a, b) =>
    a.field === b.field ? a.start - b.start : a.field === 'title' ? -1 : 1,
  );
}

/** Joins words to a list: “a, b and c”. */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
