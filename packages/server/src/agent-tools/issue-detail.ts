import {
  type AgentIssueField,
  type AgentRelatedField,
  issueField,
  type McpOutput,
  relatedField,
} from '@winnow/contract/mcp';
import { labelOf } from '../issues/index.ts';
import { invalid } from '../platform/errors.ts';
import { findIssue, type LookupContext } from './lookups.ts';
import {
  agentChange,
  agentDependency,
  agentIssue,
  excerptOf,
  MAX_EXCERPT_CHARS,
  nextOffset,
} from './present.ts';
import type { ToolServices } from './tool.ts';

/** Maximum number of comments returned per call, newest first. */
const MAX_COMMENTS_PER_CALL = 30;

const USUAL_FIELDS: readonly (AgentIssueField | AgentRelatedField)[] = [...issueField.options, 'comments'];

type Answer = McpOutput<'get_issue'>;
type Comment = Awaited<ReturnType<ToolServices['issues']['comments']>>[number];

/** Fields and parts of an issue that the caller requests. */
interface Shown {
  fields?: readonly (AgentIssueField | AgentRelatedField)[] | undefined;
  description_from?: number | undefined;
  comments_cursor?: string | undefined;
  comment_id?: string | undefined;
  comment_from?: number | undefined;
}

/**
 * Finds an issue. Returns its requested fields and related records.
 * @throws {AppError} `invalid` if the issue does not exist
 */
export async function readIssueDetail(
  { issues, related }: Pick<ToolServices, 'issues' | 'related'>,
  naming: LookupContext,
  name: string,
  asked: Shown = {},
): Promise<Answer> {
  const { accountId } = naming;
  const { comment_id: commentId, comments_cursor: cursor, description_from: descriptionFrom = 0 } = asked;
  const { fields = commentId === undefined ? USUAL_FIELDS : [] } = asked;
  const has = (field: AgentRelatedField) => fields.includes(field);
  const issue = await findIssue(issues, naming, name);
  const hasComments = has('comments') || commentId !== undefined || cursor !== undefined;
  const [comments, known] = await Promise.all([
    hasComments ? issues.comments(accountId, issue.id) : null,
    relatedField.options.some((field) => field !== 'comments' && has(field))
      ? related(accountId, issue.id)
      : null,
  ]);
  const own = fields.filter((field): field is AgentIssueField => !isRelated(field));
  const rest = own.includes('description')
    ? nextOffset(issue.description, MAX_EXCERPT_CHARS.description, descriptionFrom)
    : undefined;
  return {
    ...agentIssue(issue, own, descriptionFrom),
    ...(rest === undefined ? {} : { next_description_from: rest }),
    ...(comments === null ? {} : commentsFor(comments, asked)),
    ...(known && has('similar')
      ? {
          similar: known.pairs.map(({ issue1, issue2, similarity }) => {
            const { id, key, tracker, title, state } = issue1.id === issue.id ? issue2 : issue1;
            return { id, key, tracker: labelOf(tracker), title, state, similarity };
          }),
        }
      : {}),
    ...(known && has('scores')
      ? {
          scores: known.compliance.flatMap(({ name, compliance_factor: score, stale, ai_model_name }) =>
            score === null ? [] : [{ prompt: name, score, stale, scored_by: ai_model_name }],
          ),
        }
      : {}),
    ...(known && has('dependencies') ? { dependencies: known.dependencies.map(agentDependency) } : {}),
    ...(known && has('changes') ? { changes: known.changes.map((change) => agentChange(change, null)) } : {}),
  };
}

/**
 * Returns excerpts of an issue's comments. With `comment_id`, returns one long excerpt of that
 * comment. Otherwise, returns short excerpts of the newest comments before the cursor.
 */
function commentsFor(
  comments: readonly Comment[],
  { comments_cursor: cursor, comment_id: commentId, comment_from: from = 0 }: Shown,
): Pick<Answer, 'comments' | 'next_comment_from' | 'next_comments_cursor' | 'notice'> {
  if (commentId !== undefined) {
    const one = oneOf(comments, commentId);
    const rest = nextOffset(one.body, MAX_EXCERPT_CHARS.description, from);
    return {
      comments: [agentComment(one, MAX_EXCERPT_CHARS.description, from)],
      ...(rest === undefined ? {} : { next_comment_from: rest }),
    };
  }
  const { shown, older } = partOf(comments, cursor);
  const left = older === 1 ? 'comment is' : 'comments are';
  return {
    comments: shown.map((comment) => agentComment(comment, MAX_EXCERPT_CHARS.comment)),
    ...(older > 0
      ? {
          next_comments_cursor: shown[0]?.id,
          notice: `${older} older ${left} left out: call again with comments_cursor.`,
        }
      : {}),
  };
}

function agentComment({ id, author, body, created_at }: Comment, longest: number, from = 0) {
  return {
    ...(nextOffset(body, longest, from) === undefined ? {} : { id }),
    ...(author === null ? {} : { author }),
    at: created_at.toISOString(),
    text: excerptOf(body, longest, from),
  };
}

/**
 * Returns a page of comments, newest first. The page begins after the comment that the cursor
 * names. Also returns the number of older comments that remain.
 */
function partOf<T extends { id: string }>(
  comments: readonly T[],
  cursor: string | undefined,
): { shown: readonly T[]; older: number } {
  const end = cursor === undefined ? comments.length : comments.findIndex(({ id }) => id === cursor);
  if (end === -1) {
    const message = 'The comment this cursor points to was deleted. Start without a cursor.';
    throw invalid([{ path: 'comments_cursor', message }]);
  }
  const start = Math.max(0, end - MAX_COMMENTS_PER_CALL);
  return { shown: comments.slice(start, end), older: start };
}

/**
 * Returns the comment with this id.
 * @throws {AppError} `invalid` if the issue has no such comment
 */
function oneOf<T extends { id: string }>(comments: readonly T[], commentId: string): T {
  const found = comments.find(({ id }) => id === commentId);
  if (found) return found;
  const message = 'Comment not found on this issue. get_issue with the field comments lists the comments.';
  throw invalid([{ path: 'comment_id', message }]);
}

function isRelated(field: AgentIssueField | AgentRelatedField): field is AgentRelatedField {
  return (relatedField.options as readonly string[]).includes(field);
}
