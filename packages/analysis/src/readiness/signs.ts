import { openPoints } from './checks/open-points.ts';
import { substanceOf } from './finding.ts';
import { openEnded, personal, unlisted } from './lexicon.ts';
import { namesIn } from './places.ts';
import type { Reading } from './read-issue.ts';
import type { Statement } from './statement.ts';

/** What makes an issue more or less ready as a whole, each from 0 to 1. */
export interface Signs {
  /** It names exactly what it is about (a version, a file, an option): the less it tells beside that, the more it counts. */
  exact: number;
  /** It speaks of things without saying which. */
  unlisted: number;
  /** Somebody tells what they met with, and not how the product works. */
  personal: number;
  /** It asks or leaves something undecided. */
  open: number;
}

/** Names are looked for in so many statements, since a short text is what they make up for. */
const READ_STATEMENTS = 12;
/** Fewer words are a name and say nothing of it. */
const FEWEST_WORDS = 4;
/** Names after which a text has nearly two thirds of what exactness is worth. */
const USUAL_NAMES = 1.5;
const MANY_POINTS = 2;
/** An order begins its title, after the area in brackets or before a colon. */
const AREA = /^(?:\[[^\]]{1,40}\]\s{0,9}|[\w./-]{1,30}:\s{1,9}){1,3}/;

/** Whoever writes a user story speaks for others. */
const STORY = /^(?:as an? |als |en tant que? |como )/i;

/** The signs that a text gives, in linear time. */
export function signsOf(reading: Reading): Signs {
  const { all } = reading;
  const share = (of: (statement: Statement) => boolean) =>
    all.length === 0 ? 0 : all.filter(of).length / all.length;
  return {
    exact: exactnessOf(reading),
    unlisted: share(({ text, topic }) => topic !== 'bounds' && unlisted(text)),
    personal: share(({ text }) => personal(text) && !STORY.test(text)),
    open: Math.min(1, openPoints(reading).length / MANY_POINTS),
  };
}

function exactnessOf(reading: Reading): number {
  const { title, all } = reading;
  if (title !== null && openEnded(orderOf(title.text))) return 0;
  const names = new Set<string>();
  for (const { text, words } of all.slice(0, READ_STATEMENTS)) {
    if (words >= FEWEST_WORDS) for (const name of namesIn(text)) names.add(name);
  }
  return (1 - Math.exp(-names.size / USUAL_NAMES)) * (1 - substanceOf(reading));
}

/** The word of a title that says what is to be done with the rest. */
function orderOf(title: string): string {
  return title.replace(AREA, '').split(/\s+/, 1)[0] ?? '';
}
