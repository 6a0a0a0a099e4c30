import { findIssue } from '../lookups.ts';
import { presentWrite, presentWrittenIssue } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const commitDependency: RunTool<'commit_dependency'> = async (services, caller, input) => {
  const { issues, dependencies, ledger } = services;
  const { accountId } = caller;
  const request = await caller.changeRequest();
  const blocker = await findIssue(issues, caller, input.blocker, 'blocker');
  const blocked = await findIssue(issues, caller, input.blocked, 'blocked');
  const named = { source_issue_id: blocker.id, dependent_issue_id: blocked.id };
  const record = await ledger.carryOut(accountId, request, {
    issueIds: [blocker.id, blocked.id],
    plan: async () => {
      const plan = await dependencies.planAll(accountId, [named]);
      return { ...plan, rationale: input.reason ?? plan.rationale };
    },
  });
  return { ...presentWrite(record), ...presentWrittenIssue(blocked) };
};
