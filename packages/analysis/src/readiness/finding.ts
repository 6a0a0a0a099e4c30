import type { Reading } from './read-issue.ts';
import type { Statement } from './statement.ts';
import type { Evidence, Finding } from './types.ts';

/** What a check found out. */
export type Checked = Omit<Finding, 'id' | 'score'> & { score: number };

/** One of the things that full marks of a criterion need. */
export interface Aspect {
  /** What the issue says when it has this, after “Says”. */
  says: string;
  /** Asks for it. */
  asks: string;
  /** Its share of the criterion. */
  weight: number;
  /** How well it is said, from 0 to 1. */
  strength: number;
  /** Where. */
  from: readonly (Evidence | undefined)[];
}

const MOST_EVIDENCE = 3;
const SAID = 0.5;
/** What is hinted at is shown, too. */
const HINTED = 0.2;
/** Of a text whose wording cannot be judged, so much of each aspect is believed at most. */
const BELIEVED = 0.6;
/** Words after which a text has said nearly two thirds of what texts say. */
const USUAL_WORDS = 40;

/** From 0 to 1: how much there is of a description. */
export function substanceOf(reading: Reading): number {
  return 1 - Math.exp(-wordsOfBody(reading) / USUAL_WORDS);
}

/** Words of all that a description says. */
export function wordsOfBody({ body }: Reading): number {
  return body.reduce((sum, { words }) => sum + words, 0);
}

/** The first of the statements that a cue finds, at most `most`. */
export function pick(
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

/** How well something is said: in full by the description, by half in the title alone. */
export function strengthOf(found: readonly Statement[], inTitle = 0.5): number {
  if (found.length === 0) return 0;
  return found.some(({ field }) => field === 'body') ? 1 : inTitle;
}

/** A criterion as its aspects say; what speaks against it is taken off. */
export function checked(
  reading: Reading,
  aspects: readonly Aspect[],
  against: { note: string; amount: number; from: readonly Evidence[]; fix: string } | null = null,
): Checked {
  const least = reading.isWordingKnown ? 0 : BELIEVED * substanceOf(reading);
  const strengths = aspects.map(({ strength }) => Math.max(strength, least));
  const sum = aspects.reduce((total, { weight }, index) => total + weight * (strengths[index] ?? 0), 0);
  const score = limited(sum - (against?.amount ?? 0));
  const said = aspects.filter((_, index) => (strengths[index] ?? 0) >= SAID);
  const unsaid = aspects.filter((aspect) => !said.includes(aspect));
  const shown = [...said, ...unsaid.filter(({ strength }) => strength >= HINTED)];
  // What is said already is not asked for while something is not said at all.
  const heaviest = aspects
    .map((aspect, index) => ({ aspect, missing: aspect.weight * (1 - (strengths[index] ?? 0)) }))
    .filter(({ aspect }) => unsaid.length === 0 || unsaid.includes(aspect))
    .reduce((a, b) => (b.missing > a.missing ? b : a));
  const fix = against !== null && against.amount >= heaviest.missing ? against.fix : heaviest.aspect.asks;
  const notes = [
    said.length === 0 ? '' : `Says ${listed(said.map(({ says }) => says))}.`,
    unsaid.length === 0
      ? ''
      : `${said.length === 0 ? 'Does not say' : 'Not said:'} ${listed(unsaid.map(({ says }) => says))}.`,
    against?.note ?? '',
  ];
  return {
    score,
    note: notes.filter((note) => note !== '').join(' '),
    evidence: evidenceOf([...(against?.from ?? []), ...shown.flatMap(({ from }) => from)]),
    fix: score === 1 ? null : fix,
  };
}

/** A score from 0 to 1 in hundredths. */
export function limited(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 100) / 100;
}

/** Passages as they are shown: each once, few and short, in their order. */
export function evidenceOf(from: readonly (Evidence | undefined)[]): Evidence[] {
  const kept = new Map<string, Evidence>();
  for (const passage of from) {
    if (passage === undefined || passage.end <= passage.start || kept.size === MOST_EVIDENCE) continue;
    const { field, start, end } = passage;
    kept.set(`${field}${start}`, { field, start, end });
  }
  return [...kept.values()].sort((a, b) =>
    a.field === b.field ? a.start - b.start : a.field === 'title' ? -1 : 1,
  );
}

/** Words as an enumeration: “a, b and c”. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
