import { createHash } from 'node:crypto';
import type { McpInput, McpOutput, McpToolName } from '@winnow/contract/mcp';
import { visible } from '../ai/index.ts';
import type { KeyScope } from '../issues/index.ts';
import { mapTexts } from '../platform/text.ts';
import { findTrackerId } from './lookups.ts';
import type { RunTool, ToolCaller, ToolServices } from './tool.ts';
import { assignIssue } from './tools/assign-issue.ts';
import { checkCompliance } from './tools/check-compliance.ts';
import { closeAsDuplicate } from './tools/close-as-duplicate.ts';
import { commentOnIssue } from './tools/comment-on-issue.ts';
import { commitDependency } from './tools/commit-dependency.ts';
import { createIssue } from './tools/create-issue.ts';
import { decideChange } from './tools/decide-change.ts';
import { detectDependencies } from './tools/detect-dependencies.ts';
import { findSimilar } from './tools/find-similar.ts';
import { getCluster } from './tools/get-cluster.ts';
import { getIssue } from './tools/get-issue.ts';
import { listChanges } from './tools/list-changes.ts';
import { listClusters } from './tools/list-clusters.ts';
import { listProjects } from './tools/list-projects.ts';
import { proposeClusterResolution } from './tools/propose-cluster-resolution.ts';
import { searchIssues } from './tools/search-issues.ts';
import { suggestImprovement } from './tools/suggest-improvement.ts';
import { updateIssue } from './tools/update-issue.ts';

const TOOLS: { readonly [T in McpToolName]: RunTool<T> } = {
  search_issues: searchIssues,
  find_similar: findSimilar,
  list_clusters: listClusters,
  get_cluster: getCluster,
  get_issue: getIssue,
  list_projects: listProjects,
  create_issue: createIssue,
  update_issue: updateIssue,
  assign_issue: assignIssue,
  comment_on_issue: commentOnIssue,
  close_as_duplicate: closeAsDuplicate,
  propose_cluster_resolution: proposeClusterResolution,
  check_compliance: checkCompliance,
  suggest_improvement: suggestImprovement,
  detect_dependencies: detectDependencies,
  commit_dependency: commitDependency,
  list_changes: listChanges,
  decide_change: decideChange,
};

/**
 * Runs a tool. Removes invisible characters from all texts of the result.
 * @throws {AppError} if the call fails
 */
export async function runTool<T extends McpToolName>(
  services: ToolServices,
  caller: ToolCaller,
  name: T,
  input: McpInput<T>,
): Promise<McpOutput<T>> {
  const run: RunTool<T> = TOOLS[name];
  const scope = await scopeOf(services, caller, input);
  const changeRequest = underKey(caller.changeRequest, name, input);
  return mapTexts(await run(services, { ...caller, scope, changeRequest }, input), visible);
}

/**
 * Returns the trackers in which the names of a call are looked up: the tracker that the call names,
 * otherwise the default trackers of the caller.
 */
export async function scopeOf(
  { issues }: Pick<ToolServices, 'issues'>,
  { accountId, scope }: Pick<ToolCaller, 'accountId' | 'scope'>,
  input: object,
): Promise<KeyScope> {
  const tracker = 'tracker' in input ? input.tracker : undefined;
  return typeof tracker !== 'string'
    ? scope
    : { type: 'only', trackerId: await findTrackerId(issues, accountId, tracker) };
}

/**
 * Adds the call's idempotency key, if it has one, to the change request. A key that the change
 * request already has takes precedence.
 */
function underKey(
  changeRequest: ToolCaller['changeRequest'],
  name: McpToolName,
  input: object,
): ToolCaller['changeRequest'] {
  const { idempotency_key: key, ...rest } = { idempotency_key: undefined, ...input };
  if (typeof key !== 'string') return changeRequest;
  // For `create_issue`, the new issue is compared instead of the arguments, because two calls can
  // name the same project differently.
  const named = name === 'create_issue' ? {} : { requestHash: hashOf([name, rest]) };
  return async () => {
    const given = await changeRequest();
    return given.request === undefined ? { ...given, request: key, ...named } : given;
  };
}

function hashOf(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
