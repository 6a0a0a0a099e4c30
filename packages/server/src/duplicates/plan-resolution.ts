import { type Resolution, resolution } from '@winnow/contract/duplicate';
import { z } from 'zod';
import { type ChangePlan, editSteps, type PlannedStep, type ResultingTexts } from '../changes/index.ts';
import { keyBeside, mention } from '../issues/index.ts';
import { type AppError, conflict, invalid } from '../platform/errors.ts';

/** Fields of an issue that are needed to plan a resolution. */
export interface ResolvableIssue {
  id: string;
  key: string;
  title: string;
  description: string;
  url: string;
  state: 'opened' | 'closed';
  trackerId: string;
  /** Name and type of the issue's tracker. */
  trackerLabel: string;
  contentHash: string;
  /** True if the issue was closed as a duplicate, by Winnow or in the tracker. */
  isDuplicate: boolean;
  /** Key of the original of a closed duplicate; null if the tracker does not report it. */
  duplicateOf: string | null;
}

/** Maximum length of a chain of duplicates. A longer chain is treated as a cycle. */
const MAX_CHAIN_LENGTH = 50;

/**
 * Follows the chain of duplicates from `start` and returns its last issue, the original. `follow`
 * finds the next issue by its key; null if it is unknown. Throws `conflict` if the chain is a
 * cycle, leads to an unknown issue, or ends because the tracker does not report the original.
 */
export async function rootOf(
  start: ResolvableIssue,
  follow: (key: string, from: ResolvableIssue) => Promise<ResolvableIssue | null>,
): Promise<ResolvableIssue> {
  const seen = new Set<string>();
  let current = start;
  while (current.state === 'closed' && (current.isDuplicate || current.duplicateOf !== null)) {
    if (seen.has(current.id) || seen.size >= MAX_CHAIN_LENGTH) throw cycle(start);
    seen.add(current.id);
    if (current.duplicateOf === null) {
      throw conflict(
        'unknown_original',
        `${current.key} is itself closed as a duplicate in its tracker, which does not report the original. Choose the original instead, or reopen ${current.key} first.`,
      );
    }
    const next = await follow(current.duplicateOf, current);
    if (next === null) {
      throw conflict(
        'unknown_original',
        `${current.key} is itself closed as a duplicate of ${current.duplicateOf}, which is not connected here.`,
      );
    }
    current = next;
  }
  return current;
}

/**
 * Plans the change that closes one issue of a pair as a duplicate of the other. `original` is the
 * last issue in the chain of duplicates that begins at the issue to keep. Throws `conflict` if the
 * pair cannot be resolved in this way. Pure function.
 */
export function planClose(
  loser: ResolvableIssue,
  chosenSurvivor: ResolvableIssue,
  original: ResolvableIssue,
): ResolutionPlan {
  expectOpen(loser);
  if (original.id === loser.id) {
    throw conflict(
      'duplicate_cycle',
      `${chosenSurvivor.key} is itself closed as a duplicate of ${loser.key}. Reopen it in the tracker first.`,
    );
  }
  expectDistinct(loser, original);
  const steps = closingSteps(loser, original, {
    onLoser: `Closing as a duplicate of ${mention(original, loser)}.`,
    onOriginal: `${mention(loser, original)} reports the same problem and was closed as a duplicate of this issue.`,
  });
  return {
    kind: 'resolution',
    title: `Closed ${keyBeside(loser, original)} as duplicate of ${keyBeside(original, loser)}.`,
    rationale:
      original.id === chosenSurvivor.id
        ? null
        : `${keyBeside(chosenSurvivor, original)} is itself a duplicate of ${keyBeside(original, chosenSurvivor)}, so ${loser.key} is closed as a duplicate of ${keyBeside(original, loser)}.`,
    confidence: null,
    issues: distinct([loser, original, chosenSurvivor]),
    steps,
    payload: payloadOf(loser, chosenSurvivor, 'closed'),
  };
}

/**
 * Plans the change that merges two issues: writes the resulting texts into the target, and closes
 * the source as a duplicate. `original` is the last issue in the chain of duplicates that begins at
 * the target. Throws `conflict` if the issues cannot be merged. Pure function.
 */
export function planMerge(
  source: ResolvableIssue,
  target: ResolvableIssue,
  original: ResolvableIssue,
  texts: ResultingTexts,
): ResolutionPlan {
  if (original.id !== target.id) {
    throw conflict(
      'target_is_duplicate',
      `${target.key} is itself closed as a duplicate of ${original.key}. Merge into that one.`,
    );
  }
  if (target.state === 'closed') {
    throw conflict('target_closed', `${target.key} is closed. Merge into an open issue, or reopen it first.`);
  }
  expectOpen(source);
  expectDistinct(source, target);
  const closing = closingSteps(source, target, {
    onLoser: `Merged into ${mention(target, source)}, which now covers both issues. Closing as its duplicate.`,
    onOriginal: `${mention(source, target)} was merged into this issue and closed as its duplicate.`,
  });
  return {
    kind: 'resolution',
    title: `Merged ${keyBeside(source, target)} and ${keyBeside(target, source)}.`,
    rationale: null,
    confidence: null,
    issues: distinct([source, target]),
    steps: [...editSteps(target, texts), ...closing],
    payload: payloadOf(source, target, 'merged'),
  };
}

/**
 * Plans the change that gives two issues distinct texts. Both keep their state. Throws `invalid` if
 * no text differs. Pure function.
 */
export function planDeconflict(
  first: ResolvableIssue,
  second: ResolvableIssue,
  texts: { first: ResultingTexts; second: ResultingTexts },
): ResolutionPlan {
  expectDistinct(first, second);
  const steps = [...editSteps(first, texts.first), ...editSteps(second, texts.second)];
  if (steps.length === 0) {
    throw invalid([{ path: 'resulting_issue_1_title', message: 'Change at least one of the texts.' }]);
  }
  return {
    kind: 'resolution',
    title: `Deconflicted ${keyBeside(first, second)} and ${keyBeside(second, first)}.`,
    rationale: null,
    confidence: null,
    issues: distinct([first, second]),
    steps,
    payload: payloadOf(first, second, 'deconflicted'),
  };
}

/** Plans the change that marks two issues as unrelated. It writes nothing to a tracker. */
export function planUnrelated(first: ResolvableIssue, second: ResolvableIssue): ResolutionPlan {
  return {
    kind: 'resolution',
    title: `Marked ${keyBeside(first, second)} and ${keyBeside(second, first)} as unrelated.`,
    rationale: null,
    confidence: null,
    issues: distinct([first, second]),
    steps: [{ action: 'mark_unrelated', issueId: first.id, key: first.key, before: {}, after: {} }],
    payload: payloadOf(first, second, 'unrelated'),
  };
}

/**
 * Schema of the payload of a change that resolves a pair: the ids of both issues, and the kind of
 * resolution.
 */
export const resolutionMemory = z.object({ issue_ids: z.tuple([z.string(), z.string()]), resolution });
export type ResolutionMemory = z.infer<typeof resolutionMemory>;

/** A change that resolves a pair. */
export interface ResolutionPlan extends ChangePlan {
  payload: ResolutionMemory;
}

/**
 * Replaces comments of the plan by edited ones. `comments` maps the id of an issue to the comment
 * on that issue. Throws `invalid` if the plan posts no comment on an issue.
 */
export function withComments(
  plan: ResolutionPlan,
  comments: Readonly<Record<string, string>>,
): ResolutionPlan {
  const posted = new Set(
    plan.steps.filter(({ action }) => action === 'comment').map(({ issueId }) => issueId),
  );
  const unknown = Object.keys(comments).filter((issueId) => !posted.has(issueId));
  if (unknown.length > 0) {
    const message = 'This resolution posts no comment on this issue.';
    throw invalid(unknown.map((issueId) => ({ path: `comments.${issueId}`, message })));
  }
  const steps = plan.steps.map((step) => {
    const comment = step.action === 'comment' ? comments[step.issueId] : undefined;
    return comment === undefined ? step : { ...step, after: { ...step.after, comment } };
  });
  return { ...plan, steps };
}

/**
 * Plans the steps of a close. Comments on both issues come first, so that subscribers read the
 * reason before the close.
 */
function closingSteps(
  loser: ResolvableIssue,
  original: ResolvableIssue,
  comments: { onLoser: string; onOriginal: string },
): PlannedStep[] {
  const onLoser = { issueId: loser.id, key: loser.key };
  return [
    { ...onLoser, action: 'comment', before: {}, after: { comment: comments.onLoser } },
    {
      action: 'comment',
      issueId: original.id,
      key: original.key,
      before: {},
      after: { comment: comments.onOriginal },
    },
    {
      ...onLoser,
      action: 'close_as_duplicate',
      before: { state: 'opened' },
      after: { state: 'closed', duplicate_of: original.key },
      memory: { original_id: original.id },
    },
  ];
}

function expectOpen({ key, state }: ResolvableIssue): void {
  if (state === 'opened') return;
  throw conflict('already_closed', `${key} is already closed, so there is nothing to close.`);
}

function expectDistinct(one: ResolvableIssue, other: ResolvableIssue): void {
  if (one.url === '' || one.url !== other.url) return;
  throw conflict(
    'same_issue',
    `${one.key} is read through two of your trackers, so both are the same issue. Remove it from the scope of one tracker.`,
  );
}

function payloadOf(first: ResolvableIssue, second: ResolvableIssue, how: Resolution): ResolutionMemory {
  return { issue_ids: [first.id, second.id], resolution: how };
}

function distinct(issues: readonly ResolvableIssue[]): ChangePlan['issues'] {
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  return [...byId.values()].map(({ id, key, contentHash }) => ({ id, key, contentHash }));
}

function cycle(issue: ResolvableIssue): AppError {
  return conflict(
    'duplicate_cycle',
    `${issue.key} is closed as a duplicate in a circle. Reopen one of the issues in the tracker first.`,
  );
}
