import { issueWith } from '../issue-with.ts';
import type { RunTool } from '../tool.ts';

export const getIssue: RunTool<'get_issue'> = (services, caller, { issue, ...shown }) =>
  issueWith(services, caller, issue, shown);
