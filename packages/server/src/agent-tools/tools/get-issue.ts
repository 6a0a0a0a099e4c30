import { readIssueDetail } from '../issue-detail.ts';
import type { RunTool } from '../tool.ts';

export const getIssue: RunTool<'get_issue'> = (services, caller, { issue, ...shown }) =>
  readIssueDetail(services, caller, issue, shown);
