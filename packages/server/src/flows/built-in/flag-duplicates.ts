import { SIMILARITY } from '@winnow/contract/duplicate';
import type { McpOutput } from '@winnow/contract/mcp';
import { toMentionedIssue } from '../../issues/key-scope.ts';
import { couldBeConfused, keyBeside, mention } from '../../issues/mention.ts';
import { findIssues, type IssueView } from '../../issues/service.ts';
import { type ActionContext, onIssue } from './action.ts';
import { quoted } from './quoted.ts';
import { hasSaid } from './suggested-before.ts';
import { areJudged, isCompared } from './waiting.ts';

type Similar = McpOutput<'find_similar'>['results'][number];

const COMPARED = 10;
const BEGINNING = 'This looks like a duplicate of ';

/** Names the likely original of an issue in a comment, once; says nothing where there is none. */
export const flagDuplicates = onIssue(async (context, issue) => {
  const { tools } = context;
  if (issue.state === 'closed') return `${issue.key} is closed already.`;
  if (await hasSaid(context, issue.id, BEGINNING)) return `${issue.key} was flagged before.`;
  if (!(await isCompared(context, issue)) || !(await areJudged(context, issue, COMPARED))) {
    return `${issue.key} could not be compared with the other issues in time.`;
  }
  const answer = await tools.read('find_similar', {
    issue: issue.id,
    limit: COMPARED,
    fields: ['title', 'state', 'project', 'created_at'],
  });
  if (answer === null) return 'The flow may not look for similar issues.';
  const found = await originalAmong(context, issue, answer.results);
  if (found === null) return `Nothing shows that ${issue.key} is a duplicate.`;
  const { original, similar } = found;
  const [reader, other] = [toMentionedIssue(issue), toMentionedIssue(original)];
  const named = mention(other, reader);
  const key = keyBeside(other, reader);
  const isClosed = original.state === 'closed' ? ', which is closed' : '';
  const lines = [
    `${BEGINNING}${named}${isClosed}.`,
    ...(similar.reason === undefined ? [] : [quoted(similar.reason)]),
    `The texts are ${Math.round(similar.similarity * 100)}% alike. If these are different problems, please say how they differ.`,
  ];
  const reason = `Likely a duplicate of ${key}.`;
  const input = { issue: issue.id, comment: lines.join('\n\n'), reason };
  const written = await tools.write('comment_on_issue', input, issue.id, [original.project_id]);
  return written === null
    ? `${issue.key} is likely a duplicate of ${key}; the flow may not comment.`
    : `${issue.key} is likely a duplicate of ${key}.`;
});

/**
 * Finds the most similar older issue that says the same and is no duplicate itself: in the issue's own project first. The
 * issue's copy in a mirror, which has an equal key in another tracker, is not a duplicate of it.
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

/** Of what was opened at the same instant, as an import does, the one with the lower number counts as the older. */
function isOlder(one: IssueView, other: IssueView): boolean {
  const apartMs = one.created_at.getTime() - other.created_at.getTime();
  if (apartMs !== 0) return apartMs < 0;
  return one.key.localeCompare(other.key, 'en', { numeric: true }) < 0;
}

/** Where nobody has judged, texts so alike that nine in ten such pairs are true. */
function isLikely({ verdict, similarity }: Similar): boolean {
  if (verdict === 'duplicate') return true;
  return (verdict === undefined || verdict === 'checking') && similarity >= SIMILARITY.precise;
}
