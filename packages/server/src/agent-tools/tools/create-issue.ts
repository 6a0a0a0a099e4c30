import { FIELDS_OF_LISTS, type McpOutput } from '@winnow/contract/mcp';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { ChangeRecord } from '../../changes/index.ts';
import type { LikelyOriginal, SimilarIssue } from '../../issue-edits/index.ts';
import { presentReference } from '../../issues/index.ts';
import { findProject } from '../lookups.ts';
import {
  agentIssue,
  agentReference,
  namedIssue,
  presentWrite,
  presentWrittenIssue,
  presentWrittenReference,
  refuseTruncated,
} from '../present.ts';
import type { RunTool } from '../tool.ts';

type Answer = McpOutput<'create_issue'>;

export const createIssue: RunTool<'create_issue'> = async (services, caller, input) => {
  const { accountId, mayRead } = caller;
  const request = await caller.changeRequest();
  const { title, description, labels, assignees, reason = null } = input;
  refuseTruncated(description);
  const project = await findProject(services.issues, caller, input.project);
  const creation = await services.edits.create(
    accountId,
    { ...request, reason, mayRead },
    project.id,
    { title, description, labels, assignees },
    input.allow_duplicate,
  );
  switch (creation.outcome) {
    case 'exists':
      return alreadyThere(creation.likely, mayRead);
    case 'already_requested':
      return alreadyAskedFor(creation.record);
    case 'requested': {
      const { status, ...answer } = presentWrite(creation.record);
      if (status === 'unchanged') throw new Error('Creating an issue always yields a change.');
      const similar = creation.near.map((one) => similarAnswer(one, mayRead));
      return { status, ...answer, ...(similar.length === 0 ? {} : { similar }) };
    }
  }
};

function alreadyThere(likely: readonly LikelyOriginal[], mayRead: boolean): Answer {
  const original = likely[0]?.issue;
  const key = original?.key ?? '';
  return {
    status: 'duplicate_found',
    summary: `Nothing was created: ${key} appears to describe the same problem. Comment there, or call again with allow_duplicate.`,
    ...(original && presentWrittenIssue(original)),
    likely_originals: likely.map(({ issue, similarity, decision, reason, shared }) => ({
      issue: agentIssue(issue, mayRead ? FIELDS_OF_LISTS : []),
      similarity,
      verdict: decision,
      // Drafts are never sent to a language model, so the built-in analyst judges them.
      judged_by: BUILT_IN_ANALYST,
      ...(mayRead ? { reason, shared } : {}),
    })),
  };
}

function alreadyAskedFor(record: ChangeRecord): Answer {
  const { change, issues } = record;
  const [issue] = issues;
  return {
    status: 'duplicate_found',
    summary: `Nothing was created: ${requestStateText(record, issue?.key)} To create it anyway, call again with allow_duplicate.`,
    change_id: change.id,
    ...(issue &&
      presentWrittenReference(
        agentReference(presentReference({ id: issue.issue_id, key: issue.key }, issue.place)),
      )),
  };
}

function requestStateText({ change }: ChangeRecord, key: string | undefined): string {
  switch (change.status) {
    case 'proposed':
      return 'the same issue is already proposed and waits for approval.';
    case 'applying':
      return 'the same issue is being created. Check list_changes for the result.';
    case 'applied':
    case 'partly_applied':
      return `${key ?? 'an issue'} was created a moment ago with the same content.`;
    case 'failed':
      return 'creating the same issue failed a moment ago. Try again.';
    case 'rejected':
    case 'undone':
      return 'the same issue was rejected or undone a moment ago.';
  }
}

function similarAnswer(
  { issue, similarity, decision }: SimilarIssue,
  mayRead: boolean,
): NonNullable<Answer['similar']>[number] {
  return {
    ...namedIssue(issue),
    ...(mayRead ? { title: issue.title } : {}),
    similarity,
    verdict: decision,
  };
}
