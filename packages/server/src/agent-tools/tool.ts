import type { McpInput, McpOutput, McpToolName } from '@winnow/contract/mcp';
import type { CostBudget } from '../ai/index.ts';
import type { ChangeRequest, Ledger } from '../changes/index.ts';
import type { ClusterResolutions, Clusters } from '../clusters/index.ts';
import type { Evaluations, Improvements, Prompts } from '../compliance/index.ts';
import type { Dependencies } from '../dependencies/index.ts';
import type { Duplicates, Verdicts } from '../duplicates/index.ts';
import type { IssueEdits } from '../issue-edits/index.ts';
import type { Issues, KeyScope, RelatedToIssue, Search, SimilarIssuesFinder } from '../issues/index.ts';

/** Services that tools use. They are the same as those of the HTTP routes. */
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

/** The caller of a tool. */
export interface ToolCaller {
  accountId: string;
  /** Trackers in which the names in a call are looked up. A `tracker` argument overrides it. */
  scope: KeyScope;
  /** Budget charged for questions to language models; null means no limit. */
  budget: CostBudget | null;
  /**
   * Returns who requests the change, and whether it is applied immediately or proposed.
   * @throws {AppError} `unauthorized` if the key was revoked
   */
  changeRequest(): Promise<ChangeRequest>;
  /** True if the caller may see existing data, such as issues and people. */
  mayRead: boolean;
  /**
   * True if the caller may write or propose. It then reads issues from the tracker if their stored
   * copies are older than a minute.
   */
  mayWrite: boolean;
}

/** Implementation of a tool. Throws an `AppError` if the call cannot be carried out. */
export type RunTool<T extends McpToolName> = (
  services: ToolServices,
  caller: ToolCaller,
  input: McpInput<T>,
) => Promise<McpOutput<T>>;
