import {
  type AgentIssueField,
  type AgentRelatedField,
  issueField,
  type McpOutput,
  relatedField,
} from '@winnow/contract/mcp';
import { invalid } from '../platform/errors.ts';
import { findIssue } from './lookups.ts';
import { agentChange, agentDependency, agentIssueOf, LONGEST_SHOWN, restOf, shortened } from './present.ts';
import type { ToolServices } from './tool.ts';

/** Of an issue's comments, so many are answered, the newest. */
const MOST_COMMENTS = 30;

const USUAL_FIELDS: readonly (AgentIssueField | AgentRelatedField)[] = [...issueField.options, 'comments'];

/** What of an issue is asked for. */
interface Shown {
  fields?: readonly (AgentIssueField | AgentRelatedField)[] | undefined;
  description_from?: number | undefined;
  comments_cursor?: string | undefined;
}

/** The issue of a name with those of its fields, and of what is known of it, that are asked for. 422 when there is none. */
export async function issueWith(
  { issues, related }: Pick<ToolServices, 'issues' | 'related'>,
  accountId: string,
  name: string,
  {
    fields = USUAL_FIELDS,
    description_from: descriptionFrom = 0,
    comments_cursor: commentsCursor,
  }: Shown = {},
): Promise<McpOutput<'get_issue'>> {
  const has = (field: AgentRelatedField) => fields.includes(field);
  const issue = await findIssue(issues, accountId, name);
  const [comments, known] = await Promise.all([
    has('comments') ? issues.comments(accountId, issue.id) : [],
    relatedField.options.some((field) => field !== 'comments' && has(field))
      ? related(accountId, issue.id)
      : null,
  ]);
  const { shown, older } = partOf(comments, commentsCursor);
  const own = fields.filter((field): field is AgentIssueField => !isRelated(field));
  const rest = own.includes('description')
    ? restOf(issue.description, LONGEST_SHOWN.description, descriptionFrom)
    : undefined;
  return {
    ...agentIssueOf(issue, own, descriptionFrom),
    ...(rest === undefined ? {} : { next_description_from: rest }),
    ...(has('comments')
      ? {
          comments: shown.map(({ author, body, created_at }) => ({
            ...(author === null ? {} : { author }),
            at: created_at.toISOString(),
            text: shortened(body, LONGEST_SHOWN.comment),
          })),
          ...(older > 0 ? { next_comments_cursor: shown[0]?.id } : {}),
        }
      : {}),
    ...(known && has('similar')
      ? {
          similar: known.pairs.map(({ issue1, issue2, similarity }) => {
            const { key, title, state } = issue1.id === issue.id ? issue2 : issue1;
            return { key, title, state, similarity };
          }),
        }
      : {}),
    ...(known && has('scores')
      ? {
          scores: known.compliance.flatMap(({ name, compliance_factor: score, stale }) =>
            score === null ? [] : [{ prompt: name, score, stale }],
          ),
        }
      : {}),
    ...(known && has('dependencies') ? { dependencies: known.dependencies.map(agentDependency) } : {}),
    ...(known && has('changes')
      ? { changes: known.changes.map((change) => agentChange(change, false)) }
      : {}),
    ...(older > 0
      ? {
          notice: `${older} older ${older === 1 ? 'comment is' : 'comments are'} left out: call again with comments_cursor.`,
        }
      : {}),
  };
}

/** The newest of an issue's comments that are older than the one the cursor names, and how many are older still. */
function partOf<T extends { id: string }>(
  comments: readonly T[],
  cursor: string | undefined,
): { shown: readonly T[]; older: number } {
  const end = cursor === undefined ? comments.length : comments.findIndex(({ id }) => id === cursor);
  if (end === -1) {
    const message = 'The comment that this cursor names is gone. Ask without one.';
    throw invalid([{ path: 'comments_cursor', message }]);
  }
  const start = Math.max(0, end - MOST_COMMENTS);
  return { shown: comments.slice(start, end), older: start };
}

function isRelated(field: AgentIssueField | AgentRelatedField): field is AgentRelatedField {
  return (relatedField.options as readonly string[]).includes(field);
}
