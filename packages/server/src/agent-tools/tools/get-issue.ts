import { issueWith } from '../issue-with.ts';
import type { RunTool } from '../tool.ts';

export const getIssue: RunTool<'get_issue'> = (services, { accountId }, { issue, ...shown }) =>
  issueWith(services, accountId, issue, shown);
