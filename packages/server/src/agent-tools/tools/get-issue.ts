import { readIssueDetail } from '../issue-detail.ts';
import { findIssue } from '../lookups.ts';
import type { RunTool } from '../tool.ts';

export const getIssue: RunTool<'get_issue'> = async (services, caller, { issue, ...shown }) => {
  const { accountId, mayWrite } = caller;
  if (mayWrite) {
    const { id } = await findIssue(services.issues, caller, issue);
    await services.ledger.refreshStale(accountId, [id]);
  }
  return readIssueDetail(services, caller, issue, shown);
};
