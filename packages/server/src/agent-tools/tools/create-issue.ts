import { FIELDS_OF_LISTS, type McpOutput } from '@winnow/contract/mcp';
import type { ChangeRecord } from '../../changes/ledger.ts';
import type { LikelyOriginal, SimilarIssue } from '../../issue-edits/creating.ts';
import { presentReference } from '../../issues/present.ts';
import { findProject } from '../lookups.ts';
import {
  agentIssue,
  agentReference,
  expectWhole,
  namedIssue,
  writtenAnswer,
  writtenTo,
  writtenToReference,
} from '../present.ts';
import type { RunTool } from '../tool.ts';

type Answer = McpOutput<'create_issue'>;

export const createIssue: RunTool<'create_issue'> = async (services, caller, input) => {
  const { accountId, mayRead } = caller;
  const asked = await caller.asked();
  const { title, description, labels, assignees, reason = null } = input;
  expectWhole(description);
  const project = await findProject(services.issues, caller, input.project);
  const creation = await services.edits.create(
    accountId,
    { ...asked, request: asked.request ?? input.idempotency_key, reason, mayRead },
    project.id,
    { title, description, labels, assignees },
    input.allow_duplicate,
  );
  switch (creation.outcome) {
    case 'is_there':
      return alreadyThere(creation.likely, mayRead);
    case 'is_asked_for':
      return alreadyAskedFor(creation.record);
    case 'asked': {
      const { status, ...answer } = writtenAnswer(creation.record);
      if (status === 'unchanged') throw new Error('A new issue is never there already.');
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
    summary: `Nothing was created: ${key} seems to say the same. Comment there, or call again with allow_duplicate.`,
    ...(original && writtenTo(original)),
    likely_originals: likely.map(({ issue, similarity, decision, reason, shared }) => ({
      issue: agentIssue(issue, mayRead ? FIELDS_OF_LISTS : []),
      similarity,
      verdict: decision,
      ...(mayRead ? { reason, shared } : {}),
    })),
  };
}

function alreadyAskedFor(record: ChangeRecord): Answer {
  const { change, issues } = record;
  const [issue] = issues;
  return {
    status: 'duplicate_found',
    summary: `Nothing was created: ${standingOf(record, issue?.key)} To have it twice, call again with allow_duplicate.`,
    change_id: change.id,
    ...(issue &&
      writtenToReference(
        agentReference(presentReference({ id: issue.issue_id, key: issue.key }, issue.place)),
      )),
  };
}

function standingOf({ change }: ChangeRecord, key: string | undefined): string {
  switch (change.status) {
    case 'proposed':
      return 'the same is proposed already, and waits for somebody’s approval.';
    case 'applying':
      return 'the same is being created just now; list_changes tells when it is done.';
    case 'applied':
    case 'partly_applied':
      return `${key ?? 'an issue'} was created a moment ago and says the same.`;
    case 'failed':
      return 'the same was asked for just now, and failed. Try again.';
    case 'rejected':
    case 'undone':
      return 'the same was asked for just now, and somebody turned it down.';
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
