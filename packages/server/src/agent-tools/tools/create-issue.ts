import { FIELDS_OF_LISTS, type McpOutput } from '@winnow/contract/mcp';
import type { ChangeRecord } from '../../changes/ledger.ts';
import type { LikelyOriginal, SimilarIssue } from '../../issue-edits/creating.ts';
import { findProjectId } from '../lookups.ts';
import { agentIssue, expectWhole, writtenAnswer } from '../present.ts';
import type { RunTool } from '../tool.ts';

type Answer = McpOutput<'create_issue'>;

export const createIssue: RunTool<'create_issue'> = async (services, caller, input) => {
  const { accountId, mayRead } = caller;
  const asked = await caller.asked();
  const { title, description, labels, assignees, reason = null } = input;
  expectWhole(description);
  const projectId = await findProjectId(services.issues, accountId, input.project);
  const creation = await services.edits.create(
    accountId,
    { ...asked, request: asked.request ?? input.idempotency_key, reason, mayRead },
    projectId,
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
  const key = likely[0]?.issue.key ?? '';
  return {
    status: 'duplicate_found',
    summary: `Nothing was created: ${key} seems to say the same. Comment there, or call again with allow_duplicate.`,
    issue_key: key,
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
  const key = issues[0]?.key;
  return {
    status: 'duplicate_found',
    summary: `Nothing was created: ${standingOf(record, key)} To have it twice, call again with allow_duplicate.`,
    change_id: change.id,
    ...(key === undefined ? {} : { issue_key: key }),
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
  const { key, title } = issue;
  return { key, ...(mayRead ? { title } : {}), similarity, verdict: decision };
}
