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

/** Services that tools use: the same ones as the routes. */
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

/** The caller of a tool. */
export interface ToolCaller {
  accountId: string;
  /** Trackers in which the names in a call are resolved. A `tracker` argument overrides it. */
  scope: KeyScope;
  /**
   * Returns the actor, and whether writes apply immediately or are proposed. @throws {AppError} 401
   * if the key was revoked.
   */
  changeRequest(): Promise<ChangeRequest>;
  /** True if the caller may see existing data, such as issues and people. */
  mayRead: boolean;
  /** True if it may write or propose. Its reads return copies that are at most a minute old. */
  mayWrite: boolean;
}

/** Implementation of a tool. Throws an `AppError` if the call cannot be carried out. */
export type RunTool<T extends McpToolName> = (
  services: ToolServices,
  caller: ToolCaller,
  input: McpInput<T>,
) => Promise<McpOutput<T>>;
