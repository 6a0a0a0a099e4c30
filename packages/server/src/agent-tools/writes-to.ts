import type { McpInput, WritingTool } from '@winnow/contract/mcp';
import { findIssue, findProject, type Naming } from './lookups.ts';
import type { ToolServices } from './tool.ts';

/** What a tool would write to. */
export interface Target {
  /** Of the issue that is meant most; null where there is none yet. */
  key: string | null;
  projectIds: readonly string[];
}

/** What a call names that it writes to: issues, the one that is meant most first, or else a project. */
type Named = { issues: readonly [string, ...string[]] } | { project: string };

const WRITES_TO: { readonly [T in WritingTool]: (input: McpInput<T>) => Named } = {
  create_issue: ({ project }) => ({ project }),
  update_issue: ({ issue }) => ({ issues: [issue] }),
  assign_issue: ({ issue }) => ({ issues: [issue] }),
  comment_on_issue: ({ issue }) => ({ issues: [issue] }),
  close_as_duplicate: ({ issue, original }) => ({ issues: [issue, original] }),
  commit_dependency: ({ blocker, blocked }) => ({ issues: [blocked, blocker] }),
};

/** Where a call of a writing tool would write. @throws {AppError} 422 for an issue or project that is not there */
export async function targetOf<T extends WritingTool>(
  { issues }: Pick<ToolServices, 'issues'>,
  naming: Naming,
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
