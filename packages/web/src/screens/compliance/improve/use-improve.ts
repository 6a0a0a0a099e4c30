import type { ComplianceUpdate } from '@winnow/contract/compliance';
import { updateIssue } from '../../../features/decisions/decision-requests.ts';
import { type DialogWriting, useWriting } from '../../../features/write-dialog/use-writing.ts';

type IssueUpdate = { issueId: string; update: ComplianceUpdate };
export type Improving = DialogWriting<IssueUpdate>;

/** Gives an issue better texts from the dialog. */
export function useImprove(onDone: () => void): Improving {
  return useWriting(
    ({ issueId, update }: IssueUpdate, onUnderWay) => updateIssue(issueId, update, onUnderWay),
    onDone,
  );
}
