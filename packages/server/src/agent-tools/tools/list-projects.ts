import { trackerLabel } from '../../issues/index.ts';
import { nextCursor, skipOfCursor } from '../cursor.ts';
import type { RunTool } from '../tool.ts';

export const listProjects: RunTool<'list_projects'> = async ({ issues }, caller, input) => {
  const list = { caller, tool: 'list_projects', asked: input };
  const skip = skipOfCursor(list, input.cursor);
  const all = await issues.projects(caller.accountId);
  const shown = all.slice(skip, skip + input.limit);
  const next = nextCursor(list, skip, shown.length, all.length);
  return {
    projects: shown.map(({ id, identifier, name, tracker_id, issues: count, ...project }) => {
      return { id, identifier, name, tracker: trackerLabel(project), tracker_id, issues: count ?? 0 };
    }),
    total: all.length,
    ...(next === undefined ? {} : { next_cursor: next }),
  };
};
