import { openPoints } from './checks/open-points.ts';
import { substanceOf } from './criterion-score.ts';
import { namesIn } from './identifiers.ts';
import { openEndedCue, personalReportCue, unnamedThingsCue } from './lexicon.ts';
import type { Reading } from './read-issue.ts';
import { MIN_DESCRIBING_WORDS, type Statement } from './statement.ts';

/** Signals that make an issue more or less ready as a whole, each from 0 to 1. */
export interface Signals {
  /** Exact names of versions, files or options. They count more the less else the issue says. */
  exact: number;
  /** References to things without naming them. */
  unlisted: number;
  /** A report of personal experience, in contrast to a description of the product. */
  personal: number;
  /** Questions and undecided points. */
  open: number;
}

/** Maximum statements searched for names. Names matter most in short texts. */
const MAX_STATEMENTS_SEARCHED = 12;
/** Number of names that yields nearly two thirds of the maximum exactness. */
const TYPICAL_NAME_COUNT = 1.5;
/** Number of open points at which the signal `open` is 1. */
const OPEN_POINTS_FOR_MAX = 2;
/** Matches an area in brackets or before a colon. The instruction of a title follows it. */
const AREA = /^(?:\[[^\]]{1,40}\]\s{0,9}|[\w./-]{1,30}:\s{1,9}){1,3}/;

/** The author of a user story speaks for others, so the text does not count as personal. */
const STORY = /^(?:as an? |als |en tant que? |como )/i;

/** Returns the signals of a text, in linear time. */
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

/** Returns the verb of a title. */
function orderOf(title: string): string {
  return title.replace(AREA, '').split(/\s+/, 1)[0] ?? '';
}
