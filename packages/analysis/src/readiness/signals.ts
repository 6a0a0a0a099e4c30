import { openPoints } from './checks/open-points.ts';
import { substanceOf } from './criterion-score.ts';
import { namesIn } from './identifiers.ts';
import { openEndedCue, personalReportCue, unnamedThingsCue } from './lexicon.ts';
import type { Reading } from './read-issue.ts';
import { MIN_DESCRIBING_WORDS, type Statement } from './statement.ts';

/** Properties of a whole text that make an issue more or less ready. Each is from 0 to 1. */
export interface Signals {
  /** Exact names of versions, files or options. In a short text they count more. */
  exact: number;
  /** Share of the statements that refer to things without naming them. */
  unlisted: number;
  /** Share of the statements that report a personal experience. */
  personal: number;
  /** Number of questions and undecided points. Two or more give 1. */
  open: number;
}

/** Maximum statements that are searched for names. Names matter most in short texts. */
const MAX_STATEMENTS_SEARCHED = 12;
/** Number of names for nearly two thirds of the maximum of `exact`. */
const TYPICAL_NAME_COUNT = 1.5;
/** Number of open points at which `open` reaches 1. */
const OPEN_POINTS_FOR_MAX = 2;
/** Matches an area at the start of a title, in brackets or before a colon. The verb follows it. */
const AREA = /^(?:\[[^\]]{1,40}\]\s{0,9}|[\w./-]{1,30}:\s{1,9}){1,3}/;

/** Matches the start of a user story. Its author speaks for others, so “I” is not personal. */
const STORY = /^(?:as an? |als |en tant que? |como )/i;

/** Computes the signals of an issue, in linear time. */
export function signalsOf(reading: Reading): Signals {
  const { all } = reading;
  const share = (of: (statement: Statement) => boolean) =>
    all.length === 0 ? 0 : all.filter(of).length / all.length;
  return {
    exact: exactnessOf(reading),
    unlisted: share(({ text, topic }) => topic !== 'bounds' && unnamedThingsCue(text)),
    personal: share(({ text }) => personalReportCue(text) && !STORY.test(text)),
    open: Math.min(1, openPoints(reading).length / OPEN_POINTS_FOR_MAX),
  };
}

function exactnessOf(reading: Reading): number {
  const { title, all } = reading;
  if (title !== null && openEndedCue(orderOf(title.text))) return 0;
  const names = new Set<string>();
  for (const { text, words } of all.slice(0, MAX_STATEMENTS_SEARCHED)) {
    if (words >= MIN_DESCRIBING_WORDS) for (const name of namesIn(text)) names.add(name);
  }
  return (1 - Math.exp(-names.size / TYPICAL_NAME_COUNT)) * (1 - substanceOf(reading));
}

/** Returns the first word of a title after its area. In a request, this is the verb. */
function orderOf(title: string): string {
  return title.replace(AREA, '').split(/\s+/, 1)[0] ?? '';
}
