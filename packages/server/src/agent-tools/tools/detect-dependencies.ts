import type { Dependency } from '@winnow/contract/dependency';
import type { McpInput } from '@winnow/contract/mcp';
import { nextCursor, skipOfCursor } from '../cursor.ts';
import { findIssues, findProject } from '../lookups.ts';
import { agentDependency } from '../present.ts';
import type { RunTool, ToolCaller, ToolServices } from '../tool.ts';

const STILL_CHECKING =
  'A tracker or a language model is still checking these issues. Call again in a minute.';

export const detectDependencies: RunTool<'detect_dependencies'> = async (services, caller, input) => {
  const list = { caller, tool: 'detect_dependencies', asked: input };
  const skip = skipOfCursor(list, input.cursor);
  const { dependencies: all, notices } = await findAll(services, caller, input);
  const shown = all.slice(skip, skip + input.limit);
  const next = nextCursor(list, skip, shown.length, all.length);
  return {
    dependencies: shown.map(agentDependency),
    total: all.length,
    ...(next === undefined ? {} : { next_cursor: next }),
    ...(notices.length === 0 ? {} : { notice: notices.join(' ') }),
  };
};

async function findAll(
  { issues, dependencies }: ToolServices,
  caller: ToolCaller,
  input: McpInput<'detect_dependencies'>,
): Promise<{ dependencies: Dependency[]; notices: string[] }> {
  const { accountId, budget } = caller;
  if (input.project !== undefined) {
    const { id } = await findProject(issues, caller, input.project);
    const { dependencies: known, read, total } = await dependencies.listDependenciesOfProject(accountId, id);
    const notices =
      read < total ? [`${read} of ${total} issues are read so far. Call again in a minute.`] : [];
    return { dependencies: known, notices };
  }
  const named = await findIssues(issues, caller, input.issues ?? []);
  const scan = await dependencies.detect(
    accountId,
    named.map(({ id }) => id),
    { budget },
  );
  const notices = [scan.notice, scan.checking ? STILL_CHECKING : null].filter((notice) => notice !== null);
  return { dependencies: scan.dependencies, notices };
}
