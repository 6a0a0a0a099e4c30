import { presentHit } from '../../issues/search/present.ts';
import { nextCursor, skipOfCursor } from '../cursor.ts';
import { findProjectIds } from '../lookups.ts';
import { agentIssue, LONGEST_SHOWN, shortened } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const searchIssues: RunTool<'search_issues'> = async ({ search, issues }, caller, input) => {
  const list = { caller, tool: 'search_issues', asked: input };
  const skip = skipOfCursor(list, input.cursor);
  const answer = await search.search(caller.accountId, {
    query: input.query.trim(),
    searchType: input.search_type,
    itemTypes: input.item_types,
    status: input.status,
    projects: await findProjectIds(issues, caller.accountId, input.projects ?? []),
    limit: input.limit,
    skip,
  });
  const results = answer.hits.map(presentHit).map((hit) => {
    const similarity = hit.similarity === null ? {} : { similarity: hit.similarity };
    const { item_type } = hit;
    if (item_type !== 'comment')
      return { item_type, issue: agentIssue(hit.item, input.fields), ...similarity };
    const { issue, body } = hit.item;
    return {
      item_type,
      issue: agentIssue(issue, input.fields),
      comment: shortened(body, LONGEST_SHOWN.comment),
      ...similarity,
    };
  });
  const next = nextCursor(list, skip, results.length, answer.total);
  return {
    results,
    total: answer.total,
    ...(next === undefined ? {} : { next_cursor: next }),
    ...(answer.notice === null ? {} : { notice: answer.notice }),
  };
};
