import { z } from 'zod';
import { resolution } from './duplicate.ts';
import { issueReference, namedTracker } from './issue.ts';
import { contentHash, id, instant, memberOf, pageQuery } from './primitives.ts';

export const changeKind = z.enum([
  'resolution',
  'cluster',
  'compliance',
  'dependency',
  'mcp',
  'flow',
  'undo',
]);
export type ChangeKind = z.infer<typeof changeKind>;

/** Statuses of a change, with label and semantic color. */
export const CHANGE_STATUSES = {
  proposed: { label: 'Proposed', tone: 'neutral', settled: true },
  applying: { label: 'Applying', tone: 'info', settled: false },
  applied: { label: 'Applied', tone: 'success', settled: true },
  partly_applied: { label: 'Partly applied', tone: 'warning', settled: true },
  failed: { label: 'Failed', tone: 'danger', settled: true },
  rejected: { label: 'Rejected', tone: 'neutral', settled: true },
  undone: { label: 'Undone', tone: 'neutral', settled: true },
} as const satisfies Record<string, { label: string; tone: string; settled: boolean }>;
export const changeStatus = memberOf(CHANGE_STATUSES);
export type ChangeStatus = z.infer<typeof changeStatus>;

export const stepStatus = z.enum(['pending', 'applying', 'applied', 'failed', 'skipped', 'undone']);
export type StepStatus = z.infer<typeof stepStatus>;

/**
 * Actions of steps. `where` states where an action takes effect: in a tracker, only in Winnow, or
 * on an external MCP server.
 */
export const STEP_ACTIONS = {
  edit: 'tracker',
  comment: 'tracker',
  create: 'tracker',
  assign: 'tracker',
  change_labels: 'tracker',
  close_as_duplicate: 'tracker',
  close: 'tracker',
  reopen: 'tracker',
  delete_comment: 'tracker',
  mark_unrelated: 'here',
  unmark_unrelated: 'here',
  link_blocking: 'tracker',
  unlink_blocking: 'tracker',
  call_tool: 'outside',
} as const satisfies Record<string, 'tracker' | 'here' | 'outside'>;
export const stepAction = memberOf(STEP_ACTIONS);
export type StepAction = z.infer<typeof stepAction>;

/**
 * True if the step calls an external tool. Such a step cannot be undone or retried, because only
 * the tool's server knows what the call did.
 */
export function isExternalCall({ action }: { action: StepAction }): boolean {
  return STEP_ACTIONS[action] === 'outside';
}

/** Reason for closing an issue that is not a duplicate. */
export const closeReason = z.enum(['completed', 'not_planned']);
export type CloseReason = z.infer<typeof closeReason>;

/**
 * Fields that a step reads or writes. The action of the step determines which fields are present.
 */
export const stepFields = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  labels: z.array(z.string()).optional(),
  /** Logins of the assignees. */
  assignees: z.array(z.string()).optional(),
  state: z.enum(['opened', 'closed']).optional(),
  close_reason: closeReason.optional(),
  comment: z.string().optional(),
  duplicate_of: z.string().optional(),
  /** Key of the issue that is blocked by this one. */
  blocks: z.string().optional(),
  /**
   * Condition under which the step is performed, as a sentence. Absent for an unconditional step.
   */
  condition: z.string().optional(),
  /** Arguments of a tool call: formatted JSON without invisible characters. */
  arguments: z.string().optional(),
});
export type StepFields = z.infer<typeof stepFields>;

export const changeStep = z.object({
  id,
  action: stepAction,
  /**
   * Number of the step's group. A failed step stops the later steps of its group; other groups
   * continue. A failure in group 0 stops the whole change. In a change that resolves a cluster,
   * each closed issue has its own group.
   */
  group: z.int(),
  target_key: z.string(),
  /**
   * Project and tracker that the step writes to. Null for calls of external tools. Also null if the
   * issue is outside the projects that the tracker reads.
   */
  target_project_id: id.nullable(),
  target_tracker: namedTracker.nullable(),
  /**
   * Project of the other issue that the step names, such as the original of a duplicate. The key of
   * that issue may be ambiguous, because issues in two trackers can have the same key.
   */
  other_project_id: id.nullable(),
  before: stepFields,
  after: stepFields,
  status: stepStatus,
  error: z.string().nullable(),
  /** Response of an external tool. Untrusted text. */
  answer: z.string().optional(),
  applied_at: instant.nullable(),
});

export type ChangeStep = z.infer<typeof changeStep>;

export const baseHashes = z.record(id, contentHash);
export type BaseHashes = z.infer<typeof baseHashes>;

export const change = z.object({
  id,
  kind: changeKind,
  status: changeStatus,
  title: z.string(),
  rationale: z.string().nullable(),
  confidence: z.number().min(0).max(1).nullable(),
  actor: z.object({ type: z.enum(['user', 'api_key', 'flow']), id, name: z.string() }),
  decided_by: z.string().nullable(),
  /**
   * Keys of the issues involved. If the change resolves a pair, the first and the last key are
   * those of the pair.
   */
  issue_keys: z.array(z.string()),
  /**
   * References to the issues in `issue_keys`, in the same order. The keys alone may be ambiguous,
   * because issues in two trackers can have the same key.
   */
  issues: z.array(issueReference),
  steps: z.array(changeStep),
  base_hashes: baseHashes,
  created_at: instant,
  /** Time of the approval or rejection. Null while the change waits for a decision. */
  decided_at: instant.nullable(),
  /** Name of the user who last retried the failed steps. */
  retried_by: z.string().nullable(),
  applied_at: instant.nullable(),
  /** Id of the change that this change undoes. Null if this change is not an undo. */
  undoes: id.nullable(),
  /** Id of the change that undid this change. Null if it was not undone. */
  undone_by: id.nullable(),
});
export type Change = z.infer<typeof change>;

const INFINITIVES: Record<string, string> = {
  Closed: 'Close',
  Reopened: 'Reopen',
  Merged: 'Merge',
  Deconflicted: 'Deconflict',
  Marked: 'Mark',
  Updated: 'Update',
  Created: 'Create',
  Assigned: 'Assign',
  Unassigned: 'Unassign',
  Labeled: 'Label',
  Commented: 'Comment',
  Called: 'Call',
};

/**
 * Converts a title from the past tense to the imperative: `Merged A and B.` becomes `Merge A and
 * B`.
 */
export function imperativeTitle(title: string): string {
  return title.replace(/^\w+/, (verb) => INFINITIVES[verb] ?? verb).replace(/\.$/, '');
}

const changesFilter = {
  status: changeStatus.optional(),
  kind: changeKind.optional(),
  issue_id: id.optional(),
};
export const changesQuery = z.object({ ...pageQuery(20), ...changesFilter });

/** Formats of the audit export: a table of steps, or one change per line. */
export const exportFormat = z.enum(['csv', 'jsonl']);
export type ExportFormat = z.infer<typeof exportFormat>;
export const changesExportQuery = z.object({ ...changesFilter, format: exportFormat.default('csv') });
export const changeList = z.object({
  changes: z.array(change),
  total: z.int(),
  limit: z.int(),
  skip: z.int(),
});

/**
 * Possible decisions about a pair. A is `issue1`, B is `issue2`.
 * A decision closes one issue as a duplicate of the other, merges one into the other, gives both
 * distinct texts, or leaves both unchanged.
 */
export const resolutionChoice = z.enum([
  'close_a',
  'close_b',
  'merge_b_to_a',
  'merge_a_to_b',
  'deconflict',
  'unrelated',
]);
export type ResolutionChoice = z.infer<typeof resolutionChoice>;

/** Maximum lengths that every tracker accepts. */
export const MAX_TITLE_CHARS = 255;
export const MAX_DESCRIPTION_CHARS = 65_536;
/** Maximum length of a text to which Winnow adds an invisible marker. */
export const MAX_MARKED_TEXT_CHARS = MAX_DESCRIPTION_CHARS - 64;
/** Title of an issue as entered by a user. */
export const issueTitle = z
  .string()
  .trim()
  .min(1, 'A title is needed.')
  .max(MAX_TITLE_CHARS, `A title has at most ${MAX_TITLE_CHARS} characters.`)
  .regex(/^[^\r\n\u2028\u2029]*$/, 'A title is one line.')
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'A title is needed.');
/** Description of an issue as entered by a user. */
export const issueDescription = z
  .string()
  .max(
    MAX_DESCRIPTION_CHARS,
    `A description has at most ${MAX_DESCRIPTION_CHARS.toLocaleString('en')} characters.`,
  );
/** The text of a comment, as a user writes it. */
export const commentText = z
  .string()
  .trim()
  .min(1, 'A comment is needed.')
  .max(
    MAX_MARKED_TEXT_CHARS,
    `A comment has at most ${MAX_MARKED_TEXT_CHARS.toLocaleString('en')} characters.`,
  );
const resultingTitle = issueTitle.optional();
const resultingDescription = issueDescription.optional();

export const resolutionPayload = z.object({
  issue1_id: id,
  issue2_id: id,
  resolution: resolutionChoice,
  /**
   * New texts of the issues. A merge changes only the issue that remains open. Giving distinct
   * texts can change one issue or both. Omitted texts stay unchanged.
   */
  resulting_issue_1_title: resultingTitle,
  resulting_issue_1_description: resultingDescription,
  resulting_issue_2_title: resultingTitle,
  resulting_issue_2_description: resultingDescription,
  /**
   * Comments that replace the comments of the preview. The key is the id of the issue on which the
   * comment is posted.
   */
  comments: z.record(id, commentText).optional(),
  base_hashes: baseHashes.optional(),
});
export type ResolutionPayload = z.infer<typeof resolutionPayload>;

/** A resolution proposed for approval, with a reason. */
export const proposalPayload = resolutionPayload.extend({ reason: z.string().trim().max(2_000).optional() });
export type ProposalPayload = z.infer<typeof proposalPayload>;

export const resolutionResult = z.object({
  issue1_id: id,
  issue2_id: id,
  resolution,
  change_id: id,
  summary: z.string(),
  /** Status of the change. It is `applying` if the response status is 202. */
  status: changeStatus,
  steps: z.array(
    changeStep.pick({
      id: true,
      action: true,
      target_key: true,
      target_project_id: true,
      status: true,
      error: true,
    }),
  ),
});
export type ResolutionResult = z.infer<typeof resolutionResult>;

/** An issue of a cluster that is left out of a change. `reason` is a sentence. */
export const leftOut = z.object({ issue_id: id, key: z.string(), reason: z.string() });
export type LeftOut = z.infer<typeof leftOut>;

/** Preview of the change that a writing call would make. The preview is not saved. */
export const changePreview = change
  .pick({ kind: true, title: true, rationale: true, issue_keys: true, issues: true, base_hashes: true })
  .extend({
    steps: z.array(
      changeStep
        .pick({
          action: true,
          group: true,
          target_key: true,
          target_project_id: true,
          target_tracker: true,
          other_project_id: true,
          before: true,
          after: true,
        })
        .extend({ /** Id of the issue that the step changes. */ target_id: id }),
    ),
    /**
     * Issues of the cluster that would be left out. Absent for changes that do not resolve a
     * cluster.
     */
    left_out: z.array(leftOut).optional(),
  });
export type ChangePreview = z.infer<typeof changePreview>;
