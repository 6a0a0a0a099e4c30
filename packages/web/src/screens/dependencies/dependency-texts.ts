import { type Dependency, MOST_SCANNED } from '@winnow/contract/dependency';
import { scoreText } from '../../features/compliance/score.ts';
import { shortIssueKey, splitIssueKey } from '../../features/issues/issue-key-parts.ts';
import { isNamesake, keyBeside, type PlacedIssue } from '../../features/issues/namesakes.ts';
import { countText } from '../../ui/texts/count-text.ts';
import {
  type HeldBack,
  otherEnd,
  ownEnd,
  type Side,
  type Sided,
  type Standing,
  standingOf,
} from './dependency-state.ts';

export const SIDE_LABELS: Record<Side, string> = { blocks: 'Blocks', blocked_by: 'Blocked by' };

const STANDING_LABELS: Record<Standing, string> = {
  found: 'Found, not committed',
  committed: 'Committed',
  tracker: 'From the tracker',
};

export const HELD_BACK_TEXTS: Record<HeldBack, string> = {
  undone: 'It was committed before, and the commit was undone.',
  in_cycle: 'It is part of a cycle. Look first which of its dependencies is wrong.',
  satisfied: 'Satisfied: the blocking issue is closed.',
};

/** `1 issue`, `1,204 issues`. */
export function issuesText(count: number): string {
  return count === 1 ? '1 issue' : `${countText(count)} issues`;
}

/** `1 dependency`, `12 dependencies`. */
export function dependenciesText(count: number): string {
  return count === 1 ? '1 dependency' : `${countText(count)} dependencies`;
}

/**
 * The number beside "Commit All", which the dialog repeats: `2`, or `2 of 3` where some are not
 * chosen from the start.
 */
export function commitCountText(
  uncommitted: readonly Dependency[],
  heldBack: (dependency: Dependency) => HeldBack | null,
): string {
  const listed = uncommitted.slice(0, MOST_SCANNED);
  const chosen = listed.filter((one) => heldBack(one) === null).length;
  return chosen === listed.length ? countText(chosen) : `${countText(chosen)} of ${countText(listed.length)}`;
}

/** Formats the result of a scan: `10 issues scanned, 3 dependencies found`. */
export function scannedText(issues: number, found: number): string {
  return `${issuesText(issues)} scanned, ${dependenciesText(found)} found`;
}

/** Describes the dependencies of a project: `6 dependencies are known in this project.` */
export function knownText(known: number, { read, total }: { read: number; total: number }): string {
  const isReading = read < total;
  if (known === 0) {
    return isReading
      ? 'No dependency is known in this project yet.'
      : `No dependencies found: no text of the ${issuesText(total)} in this project mentions or clearly implies waiting for another.`;
  }
  const are = known === 1 ? '1 dependency is' : `${dependenciesText(known)} are`;
  return `${are} known in this project${isReading ? ' so far' : ''}.`;
}

/** Formats the result of an extended scan: `10 more issues scanned, 2 dependencies found`. */
export function extendedText(issues: number, found: number): string {
  if (issues === 0) return 'All issues in this project have been scanned';
  const more = issues === 1 ? '1 more issue' : `${countText(issues)} more issues`;
  return `${more} scanned, ${dependenciesText(found)} found`;
}

/** `acme/app#1 blocks acme/app#2`. */
export function sentenceOf({ source, dependent }: Dependency): string {
  return `${keyBeside(source, dependent)} blocks ${keyBeside(dependent, source)}`;
}

/** The longest project that a label shows whole. */
const LONGEST_PROJECT = 10;

/**
 * A key among others: where it is of the same project as `beside`, only its number, as trackers
 * write it. An equal key of another tracker has the name of its tracker.
 */
export function keyLabel(issue: PlacedIssue, beside: PlacedIssue): string {
  const { number } = splitIssueKey(issue.key);
  if (issue.project_id === beside.project_id && /^[#!]/.test(number)) return number;
  const short = shortIssueKey(issue.key, LONGEST_PROJECT);
  return issue.tracker !== null && isNamesake(issue, beside) ? `${short} in ${issue.tracker.name}` : short;
}

/** Formats the state of a dependency: `Found, not committed; satisfied`. */
export function standingText(
  dependency: Dependency,
  more: { satisfied: boolean; inCycle?: boolean },
): string {
  return [
    STANDING_LABELS[standingOf(dependency)],
    ...(dependency.undone ? ['undone'] : []),
    ...(more.satisfied ? ['satisfied'] : []),
    ...(more.inCycle === true ? ['in a cycle'] : []),
  ].join('; ');
}

/**
 * A badge in words, which begin with what it shows: `Blocked by #2, 92% confidence. Found, not
 * committed`.
 */
export function badgeName(sided: Sided, satisfied: boolean): string {
  const { dependency, side } = sided;
  const confidence = `${scoreText(dependency.confidence_score)} confidence`;
  const label = keyLabel(otherEnd(sided), ownEnd(sided));
  return `${SIDE_LABELS[side]} ${label}, ${confidence}. ${standingText(dependency, { satisfied })}`;
}

/** `a`, `a and b`, `a, b and c`; of many the first, and how many more there are. */
export function listText(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  const said = rest > 0 ? [...names.slice(0, most), `${countText(rest)} more`] : names;
  return said.length < 2 ? (said[0] ?? '') : `${said.slice(0, -1).join(', ')} and ${said.at(-1)}`;
}

/**
 * What a circle comes to, in a sentence: `a blocks b, b blocks c, and c blocks a`. Where its issues
 * do not simply follow one another, or are many, it only names them. `blocks` tells whether an
 * issue blocks another, by their places.
 */
export function cycleText(
  keys: readonly string[],
  blocks: (from: number, to: number) => boolean,
  most = 8,
): string {
  if (keys.length === 1) return `${keys[0]} blocks itself, so it cannot be started.`;
  const next = (place: number) => (place + 1) % keys.length;
  const isRing = keys.every((_key, place) => blocks(place, next(place)));
  if (!isRing || keys.length > most) {
    return `${listText(keys, most)} wait for one another, so none of them can be started.`;
  }
  const links = keys.map((key, place) => `${key} blocks ${keys[next(place)]}`);
  return `${links.slice(0, -1).join(', ')}, and ${links.at(-1)}, so none of them can be started.`;
}

/** A piece of a reason, and whether it is quoted from a text. */
export type ReasonPart = { text: string; quoted: boolean };

/** A reason, cut at the words that it quotes in “”. */
export function reasonParts(reason: string): ReasonPart[] {
  return reason
    .split(/(“[^”]*”)/)
    .filter((text) => text !== '')
    .map((text) => ({ text, quoted: text.startsWith('“') }));
}
