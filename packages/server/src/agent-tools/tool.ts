import type { McpInput, McpOutput, McpToolName } from '@winnow/contract/mcp';
import type { CostBudget } from '../ai/index.ts';
import type { ChangeRequest, Ledger } from '../changes/index.ts';
import type { ClusterResolutions, Clusters } from '../clusters/index.ts';
import type { Evaluations, Improvements, Prompts } from '../compliance/index.ts';
import type { Dependencies } from '../dependencies/index.ts';
import type { Duplicates, Verdicts } from '../duplicates/index.ts';
import type { IssueEdits } from '../issue-edits/index.ts';
import type { Issues, KeyScope, RelatedToIssue, Search, SimilarIssuesFinder } from '../issues/index.ts';

/** Services that tools use. HTTP routes use the same services. */
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
  clusters: Clusters;
  clusterResolutions: ClusterResolutions;
  dependencies: Dependencies;
  edits: IssueEdits;
  ledger: Ledger;
}

/** Caller of a tool, with its permissions. */
export interface ToolCaller {
  accountId: string;
  /**
   * Trackers in which the names in a call are looked up. The argument `tracker` of the call
   * overrides it.
   */
  scope: KeyScope;
  /** Budget from which questions to language models are paid; null means no limit. */
  budget: CostBudget | null;
  /**
   * Returns the actor of a change, and whether the change is applied immediately or proposed.
   * @throws {AppError} `unauthorized` if the key was revoked
   */
  changeRequest(): Promise<ChangeRequest>;
  /** True if the caller may read existing data, such as issues and people. */
  mayRead: boolean;
  /**
   * True if the caller may write or propose. For such a caller, issues that were stored more than a
   * minute ago are read from the tracker again.
   */
  mayWrite: boolean;
}

/** Implementation of a tool. Throws an `AppError` if the call fails. */
export type RunTool<T extends McpToolName> = (
  services: ToolServices,
  caller: ToolCaller,
  input: McpInput<T>,
) => Promise<McpOutput<T>>;
