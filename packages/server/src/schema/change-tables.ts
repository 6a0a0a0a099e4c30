import type { ChangeKind, ChangeStatus, StepAction, StepFields, StepStatus } from '@winnow/contract/change';
import type { Generated, JSONColumnType } from 'kysely';
import type { Instant, InstantByDefault } from './column-kinds.ts';

export interface ChangeTable {
  account_id: string;
  id: string;
  kind: ChangeKind;
  status: ChangeStatus;
  title: string;
  rationale: string | null;
  confidence: number | null;
  actor_type: 'user' | 'api_key' | 'flow';
  actor_id: string;
  actor_name: string;
  /** User who made or proposed the change, also by an API key or a flow. Null if unknown. */
  person_id: string | null;
  decided_by: string | null;
  /**
   * Type of the actor who decided on the change. Null if the change is still proposed, or the type
   * is unknown.
   */
  decided_by_type: 'user' | 'api_key' | 'flow' | null;
  payload: JSONColumnType<Record<string, unknown>>;
  base_hashes: JSONColumnType<Record<string, string>>;
  /** Id of the earlier change that this change undoes. */
  undoes: string | null;
  created_at: InstantByDefault;
  decided_at: Instant | null;
  /** User who last retried the failed steps. */
  retried_by: string | null;
  applied_at: Instant | null;
}

export interface ChangeIssueTable {
  account_id: string;
  change_id: string;
  issue_id: string;
  key: string;
  position: number;
}

/** Internal data of a step, which the API does not return. */
export interface StepMemory {
  /** Id of the comment that the step posted, or that it will delete. */
  comment_external_id?: string;
  /**
   * Id of the original issue, if the step closes a duplicate. The key of the original is not
   * enough, because two trackers may have issues with the same key.
   */
  original_id?: string;
  /** Description before an edit, in the tracker's own format. */
  native?: string;
  /** Description to restore by an undo, in the tracker's own format. */
  restore?: string;
  /**
   * Hash of the issue's texts after our edit. If the texts have changed since, an undo does not
   * restore them.
   */
  left?: string;
  /** Content hash of the issue after the step. */
  left_hash?: string;
  /**
   * State and update time of the issue after the step. They show whether a later event of the
   * tracker only reports our own write.
   */
  stood?: { as: string; at: string };
  /** Content hash that the issue must have. With any other hash, the step is skipped. */
  only_if?: string;
  /**
   * Content hash that the issue must have before the first step of its group. With any other hash,
   * all steps of the group are skipped.
   */
  base_hash?: string;
  /**
   * Lines of a comment about closed issues, by issue id. The comment omits the line of an issue
   * that was not closed.
   */
  lines?: Record<string, string>;
  /**
   * Quotes for the comment on the canonical issue, by the id of the closed issue that is quoted.
   */
  quotes?: Record<string, string>;
  /** Id of the project in which the step creates an issue. */
  project_id?: string;
  /** Id of the second issue of a link; the step's target is the first. */
  linked_id?: string;
  /** True if the link already existed before the step. An undo then keeps it. */
  was_linked?: boolean;
  /**
   * True for a comment that is posted instead of a link. It is skipped if the tracker supports such
   * links.
   */
  unless_linked?: boolean;
  /**
   * Content hash and closing time of the issue after Winnow closed it. If either has changed since,
   * an undo does not reopen the issue.
   */
  closed?: { content_hash: string; at: string | null };
  /**
   * True if the step was refused before it wrote anything, so a retry need not search the tracker
   * for its effects.
   */
  refused?: boolean;
  /** True if a rate limit stopped the last attempt before it wrote anything. */
  kept_out?: boolean;
  /**
   * Tool of an MCP server that the step calls. `address` is the hash of the server's address at the
   * time of planning.
   */
  tool?: { server: string; name: string; address: string };
  /** Response of the called tool. */
  answer?: string;
}

export interface ChangeStepTable {
  account_id: string;
  id: string;
  change_id: string;
  position: number;
  /**
   * Group of the step. If a step fails, the later steps of its group are skipped, but other groups
   * continue. A failure in group 0 stops the whole change.
   */
  step_group: Generated<number>;
  action: StepAction;
  target_issue_id: string;
  target_key: string;
  before: JSONColumnType<StepFields>;
  after: JSONColumnType<StepFields>;
  /**
   * Data that an undo or retry needs, such as ids in the tracker. If a failed step has `refused`,
   * it changed nothing in the tracker.
   */
  result: JSONColumnType<StepMemory>;
  status: StepStatus;
  error: string | null;
  applied_at: Instant | null;
}

/**
 * A write to some issues. It waits until earlier writes to the same issues are stored, or it is
 * running.
 */
export interface WriteTurnTable {
  account_id: string;
  /** Place in the queue: lower ids arrived earlier. */
  id: Generated<string>;
  issue_ids: string[];
  /** True if the write may run at the same time as other shared writes to the same issues. */
  is_shared: boolean;
  /** Time when the entry becomes invalid. The waiting process extends it while it is alive. */
  expires_at: Instant;
}
