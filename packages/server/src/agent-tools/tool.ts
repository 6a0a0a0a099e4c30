import type { McpInput, McpOutput, McpToolName } from '@winnow/contract/mcp';
import type { ChangeRequest, Ledger } from '../changes/ledger.ts';
import type { Evaluations } from '../compliance/evaluations.ts';
import type { Improvements } from '../compliance/improvements.ts';
import type { Prompts } from '../compliance/prompts.ts';
import type { Dependencies } from '../dependencies/service.ts';
import type { Duplicates } from '../duplicates/service.ts';
import type { Verdicts } from '../duplicates/verdicts.ts';
import type { IssueEdits } from '../issue-edits/service.ts';
import type { KeyScope } from '../issues/key-scope.ts';
import type { RelatedToIssue } from '../issues/routes.ts';
import type { Search } from '../issues/search/service.ts';
import type { Issues } from '../issues/service.ts';
import type { SimilarIssuesFinder } from '../issues/similar.ts';

/** What tools work with: the same services as the routes. */
export interface ToolServices {
  issues: Issues;
  related: RelatedToIssue;
  search: Search;
  similar: SimilarIssuesFinder;
  duplicates: Duplicates;
  verdicts: Verdicts;
  prompts: Prompts;
  evaluations: Evaluations;
  improvements: Improvements;
  dependencies: Dependencies;
  edits: IssueEdits;
  ledger: Ledger;
}

/** Who calls a tool. */
export interface ToolCaller {
  accountId: string;
  /** The trackers in which the names of a call are looked up. A `tracker` argument replaces it. */
  scope: KeyScope;
  /** As whom it writes, and whether now or for somebody to approve. 401 when its key was revoked since. */
  asked(): Promise<ChangeRequest>;
  /** Whether it may be told of what is there: issues, people. */
  mayRead: boolean;
}

/** What a tool does. It throws an `AppError` for what cannot be done. */
export type RunTool<T extends McpToolName> = (
  services: ToolServices,
  caller: ToolCaller,
  input: McpInput<T>,
) => Promise<McpOutput<T>>;
