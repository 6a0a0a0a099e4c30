import type { Reading } from './read-issue.ts';
import type { Statement } from './statement.ts';
import type { Evidence, Finding } from './types.ts';

/** Result of a check. */
export type CheckResult = Omit<Finding, 'id' | 'score'> & { score: number };

/** One of the aspects that a criterion needs for the maximum score. */
export interface Aspect {
  /** Name of the aspect, used after “Says”. */
  name: string;
  /** Question that asks for the aspect. */
  question: string;
  /** Share of the criterion. */
  weight: number;
  /** Degree to which the aspect is present, from 0 to 1. */
  strength: number;
  /** Passages that show the aspect. */
  from: readonly (Evidence | undefined)[];
}

/** Maximum passages shown per finding. */
const MAX_EVIDENCE_PASSAGES = 3;
/** Minimum strength at which an aspect counts as present. */
const MIN_PRESENT_STRENGTH = 0.5;
/** Minimum strength of an aspect whose evidence is shown. */
const MIN_EVIDENCE_STRENGTH = 0.2;
/**
 * Strength that is assumed for every aspect of a long text in an unknown language. A shorter text
 * gets less.
 */
const MAX_ASSUMED_STRENGTH = 0.6;
/** Word count at which a description contains nearly two thirds of the usual content. */
const TYPICAL_WORD_COUNT = 40;

/** Returns how substantial a description is, from 0 to 1. */
export function substanceOf(reading: Reading): number {
  return 1 - Math.exp(-wordsOfBody(reading) / TYPICAL_WORD_COUNT);
}

/** Returns the number of words in a description. */
export function wordsOfBody({ body }: Reading): number {
  return body.reduce((sum, { words }) => sum + words, 0);
}

/** Returns the first statements that a cue detects, at most `most`. */
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
 * Returns the strength of statements: 1 if the description contains one, `inTitle` if only the
 * title does.
 */
export function strengthOf(found: readonly Statement[], inTitle = 0.5): number {
  if (found.length === 0) return 0;
  return found.some(({ field }) => field === 'body') ? 1 : inTitle;
}

/** Scores a criterion by its aspects, and subtracts the penalties. */
export function scoreAspects(
  reading: Reading,
  aspects: readonly Aspect[],
  against: { note: string; amount: number; from: readonly Evidence[]; fix: string } | null = null,
): CheckResult {
  const assumed = reading.isWordingKnown ? 0 : MAX_ASSUMED_STRENGTH * substanceOf(reading);
  const strengths = aspects.map(({ strength }) => Math.max(strength, assumed));
  const sum = aspects.reduce((total, { weight }, index) => total + weight * (strengths[index] ?? 0), 0);
  const score = clampScore(sum - (against?.amount ?? 0));
  const said = aspects.filter((_, index) => (strengths[index] ?? 0) >= MIN_PRESENT_STRENGTH);
  const unsaid = aspects.filter((aspect) => !said.includes(aspect));
  const shown = [...said, ...unsaid.filter(({ strength }) => strength >= MIN_EVIDENCE_STRENGTH)];
  // Aspects that are partly present are not asked for while others are missing completely.
  const heaviest = aspects
    .map((aspect, index) => ({ aspect, missing: aspect.weight * (1 - (strengths[index] ?? 0)) }))
    .filter(({ aspect }) => unsaid.length === 0 || unsaid.includes(aspect))
    .reduce((a, b) => (b.missing > a.missing ? b : a));
  const fix = against !== null && against.amount >= heaviest.missing ? against.fix : heaviest.aspect.question;
  const notes = [
    said.length === 0 ? '' : `Says ${joinWords(said.map(({ name }) => name))}.`,
    unsaid.length === 0
      ? ''
      : `${said.length === 0 ? 'Does not say' : 'Missing:'} ${joinWords(unsaid.map(({ name }) => name))}.`,
    against?.note ?? '',
  ];
  return {
    score,
    note: notes.filter((note) => note !== '').join(' '),
    evidence: evidenceOf([...(against?.from ?? []), ...shown.flatMap(({ from }) => from)]),
    fix: score === 1 ? null : fix,
  };
}

/** Limits a score to 0 to 1, in hundredths. */
export function clampScore(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 100) / 100;
}

/** Selects passages for display: few, short, each once, in order. */
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

/** Joins words to an enumeration: “a, b and c”. */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
