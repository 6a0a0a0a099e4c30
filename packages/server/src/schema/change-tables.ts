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

/** Internal data of a step, which is not displayed. */
export interface StepMemory {
  /** The comment that the step posted or will delete. */
  comment_external_id?: string;
  /** The original issue of a close. Its key may exist in two trackers. */
  original_id?: string;
  /** Previous description that an edit replaces, in the tracker's format. */
  native?: string;
  /** Description that an edit restores, in the tracker's format. */
  restore?: string;
  /** Hash of the texts after our edit. Undo skips texts that differ by then. */
  left?: string;
  /** Content hash of the issue after the step. */
  left_hash?: string;
  /**
   * State and update time of the issue after the step. Used to recognize the tracker's report as
   * ours.
   */
  stood?: { as: string; at: string };
  /** The step is skipped unless the issue has this content hash. */
  only_if?: string;
  /**
   * Content hash that the issue must have before the first step of its group. Otherwise the group
   * is left out.
   */
  base_hash?: string;
  /** Line of a comment about each closed issue, by its id. Omitted if the issue was not closed. */
  lines?: Record<string, string>;
  /** Quotes of each closed issue in the comment on the canonical one, by issue. */
  quotes?: Record<string, string>;
  /** Project in which an issue is created. */
  project_id?: string;
  /** The issue at the other end of a link. */
  linked_id?: string;
  /** True if the link existed before. */
  was_linked?: boolean;
  /** True for a comment that replaces a link. It is posted only if the tracker has no link. */
  unless_linked?: boolean;
  /** State of the issue after our close. A reopen is skipped if it differs by then. */
  closed?: { content_hash: string; at: string | null };
  /**
   * True if the step was refused before it did anything, so the tracker need not be searched for
   * traces.
   */
  refused?: boolean;
  /** True if the last attempt reached a limit before it did anything. */
  kept_out?: boolean;
  /** The outside tool to call, and a hash of its server's address at that time. */
  tool?: { server: string; name: string; address: string };
  /** Response of the tool. */
  answer?: string;
}

export interface ChangeStepTable {
  account_id: string;
  id: string;
  change_id: string;
  position: number;
  /** Steps of a group stop at its first failure. A failure in group 0 stops the change. */
  step_group: Generated<number>;
  action: StepAction;
  target_issue_id: string;
  target_key: string;
  before: JSONColumnType<StepFields>;
  after: JSONColumnType<StepFields>;
  /**
   * Data from the tracker that undo needs, such as ids. A failed step with `refused` left no traces
   * in the tracker.
   */
  result: JSONColumnType<StepMemory>;
  status: StepStatus;
  error: string | null;
  applied_at: Instant | null;
}

/** A write that waits for its turn on some issues, or has its turn and is not stored yet. */
export interface WriteTurnTable {
  account_id: string;
  /** Order of arrival. */
  id: Generated<string>;
  issue_ids: string[];
  /** True if it does not wait for other shared turns. */
  is_shared: boolean;
  /** Renewed while the waiting process is alive. */
  expires_at: Instant;
}
