import { type Dependency, MAX_SCANNED_ISSUES } from '@winnow/contract/dependency';
import { scoreText } from '../../features/compliance/score.ts';
import { shortIssueKey, splitIssueKey } from '../../features/issues/issue-key-parts.ts';
import { isNamesake, keyBeside, type PlacedIssue } from '../../features/issues/namesakes.ts';
import { countText } from '../../ui/texts/count-text.ts';
import {
  type CommitState,
  commitStateOf,
  type HeldBack,
  otherEnd,
  ownEnd,
  type Side,
  type SidedDependency,
} from './dependency-state.ts';

export const SIDE_LABELS: Record<Side, string> = { blocks: 'Blocks', blocked_by: 'Blocked by' };

const COMMIT_STATE_LABELS: Record<CommitState, string> = {
  found: 'Found, not committed',
  committed: 'Committed',
  tracker: 'From the tracker',
};

export const HELD_BACK_TEXTS: Record<HeldBack, string> = {
  undone: 'It was committed before, and the commit was undone.',
  in_cycle: 'Part of a cycle. Check first which dependency in the cycle is wrong.',
  satisfied: 'Satisfied: the blocking issue is closed.',
};

/** Formats a number of issues, such as `1 issue` or `1,204 issues`. */
export function issuesText(count: number): string {
  return count === 1 ? '1 issue' : `${countText(count)} issues`;
}

/** Formats a number of dependencies, such as `1 dependency` or `12 dependencies`. */
export function dependenciesText(count: number): string {
  return count === 1 ? '1 dependency' : `${countText(count)} dependencies`;
}

/**
 * Formats the number of dependencies to commit, such as `2`. If some are not selected by default,
 * it reads `2 of 3`.
 */
export function commitCountText(
  uncommitted: readonly Dependency[],
  heldBack: (dependency: Dependency) => HeldBack | null,
): string {
  const listed = uncommitted.slice(0, MAX_SCANNED_ISSUES);
  const chosen = listed.filter((one) => heldBack(one) === null).length;
  return chosen === listed.length ? countText(chosen) : `${countText(chosen)} of ${countText(listed.length)}`;
}

/** Describes the result of a scan, such as `10 issues scanned, 3 dependencies found`. */
export function scannedText(issues: number, found: number): string {
  return `${issuesText(issues)} scanned, ${dependenciesText(found)} found`;
}

/**
 * States how many dependencies of a project are known, such as `6 dependencies are known in this
 * project.`
 */
export function knownText(known: number, { read, total }: { read: number; total: number }): string {
  const isReading = read < total;
  if (known === 0) {
    return isReading
      ? 'No dependency is known in this project yet.'
      : `No dependencies found: none of the ${issuesText(total)} in this project mentions or clearly implies waiting for another.`;
  }
  const subject = known === 1 ? '1 dependency is' : `${dependenciesText(known)} are`;
  return `${subject} known in this project${isReading ? ' so far' : ''}.`;
}

/**
 * Describes the result of scanning more issues, such as `10 more issues scanned, 2 dependencies
 * found`.
 */
export function extendedText(issues: number, found: number): string {
  if (issues === 0) return 'All issues in this project have been scanned';
  const more = issues === 1 ? '1 more issue' : `${countText(issues)} more issues`;
  return `${more} scanned, ${dependenciesText(found)} found`;
}

/** Formats a dependency as a clause, such as `acme/app#1 blocks acme/app#2`. */
export function sentenceOf({ source, dependent }: Dependency): string {
  return `${keyBeside(source, dependent)} blocks ${keyBeside(dependent, source)}`;
}

/** Maximum characters of a project name in a label. A longer name is shortened. */
const PROJECT_LABEL_MAX_CHARS = 10;

/**
 * Formats the key of an issue for display beside the key of the issue `beside`. If both issues are
 * in one project, it is only the number. If both keys look as if they were in one project but are
 * not, adds the tracker.
 */
export function keyLabel(issue: PlacedIssue, beside: PlacedIssue): string {
  const { number } = splitIssueKey(issue.key);
  if (issue.project_id === beside.project_id && /^[#!]/.test(number)) return number;
  const short = shortIssueKey(issue.key, PROJECT_LABEL_MAX_CHARS);
  return issue.tracker !== null && isNamesake(issue, beside) ? `${short} in ${issue.tracker.name}` : short;
}

/** Describes the state of a dependency, such as `Found, not committed; satisfied`. */
export function dependencyStateText(
  dependency: Dependency,
  more: { satisfied: boolean; inCycle?: boolean },
): string {
  return [
    COMMIT_STATE_LABELS[commitStateOf(dependency)],
    ...(dependency.undone ? ['undone'] : []),
    ...(more.satisfied ? ['satisfied'] : []),
    ...(more.inCycle === true ? ['in a cycle'] : []),
  ].join('; ');
}

/**
 * Returns the accessible name of a badge, such as `Blocked by #2, 92% confidence. Found, not
 * committed`. It starts with the visible text.
 */
export function badgeName(sided: SidedDependency, satisfied: boolean): string {
  const { dependency, side } = sided;
  const confidence = `${scoreText(dependency.confidence_score)} confidence`;
  const label = keyLabel(otherEnd(sided), ownEnd(sided));
  return `${SIDE_LABELS[side]} ${label}, ${confidence}. ${dependencyStateText(dependency, { satisfied })}`;
}

/** Joins names, such as `a, b and c`. Lists at most `most` names and counts the others. */
export function listText(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  const parts = rest > 0 ? [...names.slice(0, most), `${countText(rest)} more`] : names;
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/**
 * Describes a cycle, such as `a blocks b, b blocks c, and c blocks a`. If the cycle is not a simple
 * ring or has more than `most` issues, only lists the issues. `blocks` returns whether the issue at
 * one index of `keys` blocks the issue at another index.
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

/**
 * Part of the text that explains a dependency. `quoted` is true if the part is quoted from an
 * issue.
 */
export type ReasonPart = { text: string; quoted: boolean };

/** Splits the explanation of a dependency into quotes (“…”) and other text. */
export function reasonParts(reason: string): ReasonPart[] {
  return reason
    .split(/(“[^”]*”)/)
    .filter((text) => text !== '')
    .map((text) => ({ text, quoted: text.startsWith('“') }));
}
