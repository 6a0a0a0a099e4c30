import type { ResolutionPayload } from '@winnow/contract/change';
import type { Pair, PairDetail } from '@winnow/contract/duplicate';
import {
  type IssueTexts,
  isSameText,
  type TypedTexts,
} from '../../features/issues/text-fields/text-edits.ts';
import { pairKeyOf } from '../../features/pairs/pair-key.ts';

/** Name of one of the two issues of a pair. */
export type Side = 'issue1' | 'issue2';

/**
 * Edits and choices that the user made in the dialog. They persist when the user moves between its
 * steps.
 */
export type Drafts = {
  /** Issue into which the other issue is merged. Default: the older issue. */
  target: Side;
  merged: TypedTexts;
  issue1: TypedTexts;
  issue2: TypedTexts;
  /** Comments edited by the user, by issue id. */
  comments: TypedComments;
};

export type TypedComments = Readonly<Record<string, string>>;

/**
 * Returns the edited comments for the request. Omits comments that the user emptied, so the server
 * posts the planned text.
 */
export function commentsPayload(comments: TypedComments): Pick<ResolutionPayload, 'comments'> {
  const filled = Object.entries(comments).filter(([, text]) => text.trim() !== '');
  return filled.length === 0 ? {} : { comments: Object.fromEntries(filled) };
}

export const NO_DRAFTS: Drafts = { target: 'issue1', merged: {}, issue1: {}, issue2: {}, comments: {} };

/** True if the user has made edits that closing the dialog would discard. */
export function hasTyped({ merged, issue1, issue2, comments }: Drafts): boolean {
  return [merged, issue1, issue2, comments].some((typed) => Object.keys(typed).length > 0);
}

export function otherSide(side: Side): Side {
  return side === 'issue1' ? 'issue2' : 'issue1';
}

/** True if both issues are open. Only open issues can be merged. */
export function canMerge({ issue1, issue2 }: Pick<Pair, 'issue1' | 'issue2'>): boolean {
  return issue1.state === 'opened' && issue2.state === 'opened';
}

/**
 * Returns the request that merges a pair. It contains only texts that differ from those of the
 * target.
 */
export function mergePayload(
  pair: PairDetail,
  target: Side,
  texts: IssueTexts,
  comments: TypedComments = {},
): ResolutionPayload {
  const resolution = target === 'issue1' ? 'merge_b_to_a' : 'merge_a_to_b';
  return {
    ...pairKeyOf(pair),
    resolution,
    ...resultingTexts(pair, target, texts),
    ...commentsPayload(comments),
  };
}

/**
 * Returns the request that deconflicts a pair. It contains only texts that differ from the current
 * ones. Null if no text differs.
 */
export function deconflictPayload(
  pair: PairDetail,
  texts: Record<Side, IssueTexts>,
): ResolutionPayload | null {
  const resulting = {
    ...resultingTexts(pair, 'issue1', texts.issue1),
    ...resultingTexts(pair, 'issue2', texts.issue2),
  };
  if (Object.keys(resulting).length === 0) return null;
  return { ...pairKeyOf(pair), resolution: 'deconflict', ...resulting };
}

const FIELDS_BY_SIDE = {
  issue1: { title: 'resulting_issue_1_title', description: 'resulting_issue_1_description' },
  issue2: { title: 'resulting_issue_2_title', description: 'resulting_issue_2_description' },
} as const;

function resultingTexts(pair: PairDetail, side: Side, texts: IssueTexts): Partial<ResolutionPayload> {
  const own = pair[side];
  return {
    ...(isSameText(own.title, texts.title) ? {} : { [FIELDS_BY_SIDE[side].title]: texts.title }),
    ...(isSameText(own.description, texts.description)
      ? {}
      : { [FIELDS_BY_SIDE[side].description]: texts.description }),
  };
}
