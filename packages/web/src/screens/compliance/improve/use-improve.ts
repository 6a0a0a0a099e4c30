import type { ComplianceUpdate } from '@winnow/contract/compliance';
import { updateIssue } from '../../../features/decisions/decision-requests.ts';
import { type DialogWriting, useWriting } from '../../../features/write-dialog/use-writing.ts';

type IssueUpdate = { issueId: string; update: ComplianceUpdate };
export type Improving = DialogWriting<IssueUpdate>;

/** Writes the edited texts to the issue and tracks the progress. */
export function useImprove(onDone: () => void): Improving {
  return useWriting(
    ({ issueId, update }: IssueUpdate, onUnderWay) => updateIssue(issueId, update, onUnderWay),
    onDone,
  );
}
