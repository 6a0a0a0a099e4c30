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
  /** Type of the actor who decided. Null while proposed, and if it is unknown. */
  decided_by_type: 'user' | 'api_key' | 'flow' | null;
  payload: JSONColumnType<Record<string, unknown>>;
  base_hashes: JSONColumnType<Record<string, string>>;
  /** The change that this one undoes. */
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

/** Internal data of a step. The API does not return it. */
export interface StepMemory {
  /** The comment that the step posted or will delete. */
  comment_external_id?: string;
  /** The original issue of a close. Its key may exist in two trackers. */
  original_id?: string;
  /** Description that an edit replaced, in the tracker's format. */
  native?: string;
  /** Description that an undo restores, in the tracker's format. */
  restore?: string;
  /** Hash of the texts after our edit. Undo skips texts that have another hash by then. */
  left?: string;
  /** Content hash of the issue after the step. */
  left_hash?: string;
  /**
   * State and update time of the issue after the step. Used to recognize that an event of the
   * tracker reports our own write.
   */
  stood?: { as: string; at: string };
  /** The step is skipped unless the issue has this content hash. */
  only_if?: string;
  /**
   * Content hash that the issue must have before the first step of its group. Otherwise the steps
   * of the group are skipped.
   */
  base_hash?: string;
  /**
   * Line of a comment about each closed issue, by the id of the issue. Left out of the comment if
   * the issue was not closed.
   */
  lines?: Record<string, string>;
  /**
   * Quotes from each closed issue in the comment on the canonical issue, by the id of the closed
   * issue.
   */
  quotes?: Record<string, string>;
  /** Id of the project in which the issue is created. */
  project_id?: string;
  /** Id of the issue at the other end of a link. */
  linked_id?: string;
  /** True if the link existed before the step, so that undo keeps it. */
  was_linked?: boolean;
  /** True for a comment that replaces a link. It is posted only if the tracker has no such link. */
  unless_linked?: boolean;
  /**
   * Content hash and closing time of the issue after our close. Undo does not reopen the issue if
   * they differ by then.
   */
  closed?: { content_hash: string; at: string | null };
  /**
   * True if the step was refused before it did anything. The tracker then need not be searched for
   * its effects.
   */
  refused?: boolean;
  /** True if the last attempt was stopped by a rate limit before it did anything. */
  kept_out?: boolean;
  /**
   * The tool of an MCP server to call, and the hash of the server's address when the change was
   * planned.
   */
  tool?: { server: string; name: string; address: string };
  /** Response of the tool. */
  answer?: string;
}

export interface ChangeStepTable {
  account_id: string;
  id: string;
  change_id: string;
  position: number;
  /**
   * A failed step stops the rest of its group; the other groups continue. A failure in group 0
   * stops the whole change.
   */
  step_group: Generated<number>;
  action: StepAction;
  target_issue_id: string;
  target_key: string;
  before: JSONColumnType<StepFields>;
  after: JSONColumnType<StepFields>;
  /**
   * Data that undo needs, such as ids in the tracker. A failed step with `refused` changed nothing
   * in the tracker.
   */
  result: JSONColumnType<StepMemory>;
  status: StepStatus;
  error: string | null;
  applied_at: Instant | null;
}

/** A write to some issues that waits until earlier writes to them are stored, or is in progress. */
export interface WriteTurnTable {
  account_id: string;
  /** Increases in the order of arrival. */
  id: Generated<string>;
  issue_ids: string[];
  /** True if it may run at the same time as other shared writes. */
  is_shared: boolean;
  /** Renewed while the waiting process is alive. */
  expires_at: Instant;
}
