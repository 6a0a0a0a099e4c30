import { nextCursor, skipOfCursor } from '../cursor.ts';
import { findProjectIds } from '../lookups.ts';
import { agentIssue, excerptOf, MAX_EXCERPT_CHARS, nextOffset } from '../present.ts';
import type { RunTool } from '../tool.ts';
import { clusterNotFound } from './get-cluster.ts';

export const searchIssues: RunTool<'search_issues'> = async ({ search, issues }, caller, input) => {
  const list = { caller, tool: 'search_issues', asked: input };
  const skip = skipOfCursor(list, input.cursor);
  const projects = await findProjectIds(issues, caller, input.projects ?? []);
  const answer = await search
    .search(caller.accountId, {
      query: input.query.trim(),
      searchType: input.search_type,
      itemTypes: input.item_types,
      status: input.status,
      projects,
      clusterId: input.cluster_id,
      limit: input.limit,
      skip,
    })
    .catch(clusterNotFound);
  const results = answer.hits.map((hit) => ({
    item_type: hit.itemType,
    issue: agentIssue(hit.issue, input.fields),
    ...(hit.itemType === 'comment' ? commentOf(hit.comment) : {}),
    ...(hit.similarity === null ? {} : { similarity: hit.similarity }),
  }));
  const capped = answer.isCapped ? `There are more matches. Only the best ${answer.total} are listed.` : null;
  const notices = [capped, answer.notice].filter((notice) => notice !== null);
  const next = nextCursor(list, skip, results.length, answer.total);
  return {
    results,
    total: answer.total,
    ...(next === undefined ? {} : { next_cursor: next }),
    ...(notices.length === 0 ? {} : { notice: notices.join(' ') }),
  };
};

/**
 * Returns an excerpt of a comment. If text is omitted, also returns the comment's id, with which
 * the rest can be read.
 */
function commentOf({ id, body }: { id: string; body: string }): { comment: string; comment_id?: string } {
  const isCut = nextOffset(body, MAX_EXCERPT_CHARS.comment) !== undefined;
  return { comment: excerptOf(body, MAX_EXCERPT_CHARS.comment), ...(isCut ? { comment_id: id } : {}) };
}
