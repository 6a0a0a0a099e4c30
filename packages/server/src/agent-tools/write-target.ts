import type { McpInput, WritingTool } from '@winnow/contract/mcp';
import { findIssue, findProject, type LookupContext } from './lookups.ts';
import type { ToolServices } from './tool.ts';

/**
 * The issue that a tool call would write to, and the projects of all issues that the call names.
 */
export interface Target {
  /** Key of the first issue that the call writes to; null if the call creates an issue. */
  key: string | null;
  projectIds: readonly string[];
}

/**
 * The issues that a call writes to, most important first. If the call creates an issue, the project
 * of the new issue.
 */
type Named = { issues: readonly [string, ...string[]] } | { project: string };

const WRITES_TO: { readonly [T in WritingTool]: (input: McpInput<T>) => Named } = {
  create_issue: ({ project }) => ({ project }),
  update_issue: ({ issue }) => ({ issues: [issue] }),
  assign_issue: ({ issue }) => ({ issues: [issue] }),
  comment_on_issue: ({ issue }) => ({ issues: [issue] }),
  close_as_duplicate: ({ issue, original }) => ({ issues: [issue, original] }),
  commit_dependency: ({ blocker, blocked }) => ({ issues: [blocked, blocker] }),
};

/**
 * Finds the target of a call of a writing tool.
 * @throws {AppError} `invalid` if the issue or the project does not exist
 */
export async function findWriteTarget<T extends WritingTool>(
  { issues }: Pick<ToolServices, 'issues'>,
  naming: LookupContext,
  name: T,
  input: McpInput<T>,
): Promise<Target> {
  const named = WRITES_TO[name](input);
  if ('project' in named) {
    const { id } = await findProject(issues, naming, named.project);
    return { key: null, projectIds: [id] };
  }
  const found = await Promise.all(named.issues.map((issue) => findIssue(issues, naming, issue)));
  return { key: found[0]?.key ?? null, projectIds: found.map(({ project_id }) => project_id) };
}
