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
  payload: JSONColumnType<Record<string, unknown>>;
  base_hashes: JSONColumnType<Record<string, string>>;
  /** The change this one takes back. */
  undoes: string | null;
  created_at: InstantByDefault;
  decided_at: Instant | null;
  /** Who had what failed tried again last. */
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

/** What a step remembers beside what it shows. */
export interface StepMemory {
  /** The comment it posted, or is to delete. */
  comment_external_id?: string;
  /** The issue a close leads to; its key may exist in two trackers. */
  original_id?: string;
  /** The description that an edit replaces, in the tracker's own form. */
  native?: string;
  /** The description that an edit brings back, in the tracker's own form. */
  restore?: string;
  /** Hash of the texts as our edit left them in the tracker; taking the edit back leaves alone what is different by then. */
  left?: string;
  /** Content hash of the issue as the step left it. */
  left_hash?: string;
  /** How the issue stood when the step had changed it, and its time of update then: what the tracker tells of it is ours. */
  stood?: { as: string; at: string };
  /** The step is done only while the issue has this content hash. */
  only_if?: string;
  /** The project that an issue is made in. */
  project_id?: string;
  /** The issue at the other end of a link. */
  linked_id?: string;
  /** The link was there before. */
  was_linked?: boolean;
  /** A comment that stands for a link: it is posted only where the tracker has none. */
  unless_linked?: boolean;
  /** How our close left the issue; a reopen leaves alone what is different by then. */
  closed?: { content_hash: string; at: string | null };
  /** The step was refused before it did anything, so there is nothing to look for in the tracker. */
  refused?: boolean;
  /** The last attempt met a limit before it did anything. */
  kept_out?: boolean;
  /** The outside tool that it calls, and a hash of where its server was then. */
  tool?: { server: string; name: string; address: string };
  /** What that answered, in the words of its server. */
  answer?: string;
}

export interface ChangeStepTable {
  account_id: string;
  id: string;
  change_id: string;
  position: number;
  action: StepAction;
  target_issue_id: string;
  target_key: string;
  before: JSONColumnType<StepFields>;
  after: JSONColumnType<StepFields>;
  /**
   * What the tracker answered: the ids needed to take the step back. `refused` of a failed step: we did not even try, so
   * nothing of it can be in the tracker.
   */
  result: JSONColumnType<StepMemory>;
  status: StepStatus;
  error: string | null;
  applied_at: Instant | null;
}

/** A write that waits for its turn on some issues, or has it and is not saved yet. */
export interface WriteTurnTable {
  account_id: string;
  /** Order of arrival. */
  id: Generated<string>;
  issue_ids: string[];
  /** It does not wait for turns that are shared, too. */
  is_shared: boolean;
  /** Renewed while the process that waits is alive. */
  expires_at: Instant;
}
