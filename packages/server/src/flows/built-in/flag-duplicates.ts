import { LIKELIHOOD } from '@winnow/contract/duplicate';
import type { McpOutput } from '@winnow/contract/mcp';
import {
  couldBeConfused,
  findIssues,
  type IssueView,
  keyBeside,
  mention,
  toMentionedIssue,
} from '../../issues/index.ts';
import { type ActionContext, onIssue } from './action.ts';
import { hasCommented } from './earlier-suggestions.ts';
import { quote } from './quote.ts';
import { areJudged, isCompared } from './wait-for-results.ts';

type Similar = McpOutput<'find_similar'>['results'][number];

const MAX_SIMILAR_ISSUES = 10;
const COMMENT_BEGINNING = 'This looks like a duplicate of ';

/**
 * Comments once on an issue with its likely original. Does nothing if there is no likely original.
 */
export const flagDuplicates = onIssue(async (context, issue) => {
  const { tools } = context;
  if (issue.state === 'closed') return `${issue.key} is already closed.`;
  if (await hasCommented(context, issue.id, COMMENT_BEGINNING)) return `${issue.key} was already flagged.`;
  if (!(await isCompared(context, issue)) || !(await areJudged(context, issue, MAX_SIMILAR_ISSUES))) {
    return `${issue.key} could not be compared with the other issues in time.`;
  }
  const answer = await tools.read('find_similar', {
    issue: issue.id,
    limit: MAX_SIMILAR_ISSUES,
    fields: ['title', 'state', 'project', 'created_at'],
  });
  if (answer === null) return 'This flow may not search for similar issues.';
  const found = await originalAmong(context, issue, answer.results);
  if (found === null) return `No duplicate found for ${issue.key}.`;
  const { original, similar } = found;
  const [reader, other] = [toMentionedIssue(issue), toMentionedIssue(original)];
  const named = mention(other, reader);
  const key = keyBeside(other, reader);
  const isClosed = original.state === 'closed' ? ', which is closed' : '';
  const lines = [
    `${COMMENT_BEGINNING}${named}${isClosed}.`,
    ...(similar.reason === undefined ? [] : [quote(similar.reason)]),
    `The texts are ${Math.round(similar.similarity * 100)}% similar. If these are different problems, please say how they differ.`,
  ];
  const reason = `Likely a duplicate of ${key}.`;
  const input = { issue: issue.id, comment: lines.join('\n\n'), reason };
  const written = await tools.write('comment_on_issue', input, issue.id, [original.project_id]);
  return written === null
    ? `${issue.key} is likely a duplicate of ${key}; this flow may not comment.`
    : `${issue.key} is likely a duplicate of ${key}.`;
});

/**
 * Finds the likely original of an issue: the most similar older issue that is not itself a
 * duplicate. Prefers issues of the same project. Skips the copy of the issue in a mirror, which has
 * the same key in another tracker.
 */
async function originalAmong(
  { accountId, db }: ActionContext,
  issue: IssueView,
  results: readonly Similar[],
): Promise<{ original: IssueView; similar: Similar } | null> {
  const likely = results.filter(isLikely);
  const issues = await findIssues(
    db,
    accountId,
    likely.map((similar) => similar.issue.id),
  );
  const candidates = likely.flatMap((similar) => {
    const original = issues.find(({ id }) => id === similar.issue.id);
    if (original === undefined || original.is_duplicate || original.duplicate_of !== null) return [];
    return isOlder(original, issue) && !isMirrored(original, issue) ? [{ original, similar }] : [];
  });
  return candidates.find(({ original }) => original.project_id === issue.project_id) ?? candidates[0] ?? null;
}

function isMirrored(one: IssueView, other: IssueView): boolean {
  return one.key === other.key && couldBeConfused(toMentionedIssue(one), toMentionedIssue(other));
}

/**
 * True if `one` was opened before `other`. Issues opened at the same instant, as in an import, are
 * ordered by key.
 */
function isOlder(one: IssueView, other: IssueView): boolean {
  const apartMs = one.created_at.getTime() - other.created_at.getTime();
  if (apartMs !== 0) return apartMs < 0;
  return one.key.localeCompare(other.key, 'en', { numeric: true }) < 0;
}

/**
 * True if the verdict is "duplicate". Without a finished verdict, true if the probability is at
 * least `LIKELIHOOD.sure`.
 */
function isLikely({ verdict, probability = 0 }: Similar): boolean {
  if (verdict === 'duplicate') return true;
  return (verdict === undefined || verdict === 'checking') && probability >= LIKELIHOOD.sure;
}
