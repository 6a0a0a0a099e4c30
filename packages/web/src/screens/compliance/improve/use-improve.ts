import type { ComplianceUpdate } from '@winnow/contract/compliance';
import { updateIssue } from '../../../features/decisions/decision-requests.ts';
import { type DialogWrite, useDialogWrite } from '../../../features/write-dialog/use-dialog-write.ts';

type IssueUpdate = { issueId: string; update: ComplianceUpdate };
export type Improving = DialogWrite<IssueUpdate>;

/** Writes the edited texts to the issue and tracks the progress. */
export function useImprove(onDone: () => void): Improving {
  return useDialogWrite(
    ({ issueId, update }: IssueUpdate, onUnderWay) => updateIssue(issueId, update, onUnderWay),
    onDone,
  );
}
