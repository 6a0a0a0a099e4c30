import type { ResolutionPayload } from '@winnow/contract/change';
import type { Pair, PairDetail } from '@winnow/contract/duplicate';
import {
  type IssueTexts,
  isSameText,
  type TypedTexts,
} from '../../features/issues/text-fields/edited-texts.ts';
import { pairKeyOf } from '../../features/pairs/pair-key.ts';

/** One of the pair's two issues. */
export type Side = 'issue1' | 'issue2';

/** What was typed and chosen in the dialog, for its way back and forth between the steps. */
export type Drafts = {
  /** The issue that the other one is merged into: the older one, until somebody chooses. */
  target: Side;
  merged: TypedTexts;
  issue1: TypedTexts;
  issue2: TypedTexts;
  /** Edited comments by the id of their issue. */
  comments: TypedComments;
};

export type TypedComments = Readonly<Record<string, string>>;

/** The edited comments as they are sent; one that was emptied keeps its planned text until it has another. */
export function commentsPayload(comments: TypedComments): Pick<ResolutionPayload, 'comments'> {
  const filled = Object.entries(comments).filter(([, text]) => text.trim() !== '');
  return filled.length === 0 ? {} : { comments: Object.fromEntries(filled) };
}

export const NO_DRAFTS: Drafts = { target: 'issue1', merged: {}, issue1: {}, issue2: {}, comments: {} };

/** Whether something was typed that would be lost. */
export function hasTyped({ merged, issue1, issue2, comments }: Drafts): boolean {
  return [merged, issue1, issue2, comments].some((typed) => Object.keys(typed).length > 0);
}

/** The other one of the two. */
export function otherSide(side: Side): Side {
  return side === 'issue1' ? 'issue2' : 'issue1';
}

/** Whether two issues can be merged: a closed one can neither take a text nor be closed. */
export function canMerge({ issue1, issue2 }: Pick<Pair, 'issue1' | 'issue2'>): boolean {
  return issue1.state === 'opened' && issue2.state === 'opened';
}

/** The merge of a pair. Only texts that differ from those of the target are sent. */
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

/** The texts that make a pair distinct. Only those that differ are sent; null when none does. */
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

const NAMES = {
  issue1: { title: 'resulting_issue_1_title', description: 'resulting_issue_1_description' },
  issue2: { title: 'resulting_issue_2_title', description: 'resulting_issue_2_description' },
} as const;

function resultingTexts(pair: PairDetail, side: Side, texts: IssueTexts): Partial<ResolutionPayload> {
  const own = pair[side];
  return {
    ...(isSameText(own.title, texts.title) ? {} : { [NAMES[side].title]: texts.title }),
    ...(isSameText(own.description, texts.description)
      ? {}
      : { [NAMES[side].description]: texts.description }),
  };
}
