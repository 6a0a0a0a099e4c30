import { z } from 'zod';
import { resolution } from './duplicate.ts';
import { issueReference, namedTracker } from './issue.ts';
import { contentHash, id, instant, memberOf, pageQuery } from './primitives.ts';

export const changeKind = z.enum(['resolution', 'compliance', 'dependency', 'mcp', 'flow', 'undo']);
export type ChangeKind = z.infer<typeof changeKind>;

/** Where a change stands, in words and in the semantic color that shows it. */
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

/** What a step can be, and where it takes effect: in a tracker, with us only, or with an outside MCP server. */
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

/** Whether nobody but an outside server knows what a step did, so that it is neither undone nor tried again. */
export function isOutside({ action }: { action: StepAction }): boolean {
  return STEP_ACTIONS[action] === 'outside';
}

/** Why an issue is closed that is no duplicate: its work is done, or will not be done. */
export const closeReason = z.enum(['completed', 'not_planned']);
export type CloseReason = z.infer<typeof closeReason>;

/** The fields a step reads and writes; which are there depends on its action. */
export const stepFields = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  labels: z.array(z.string()).optional(),
  /** Logins. */
  assignees: z.array(z.string()).optional(),
  state: z.enum(['opened', 'closed']).optional(),
  close_reason: closeReason.optional(),
  comment: z.string().optional(),
  duplicate_of: z.string().optional(),
  /** Key of the issue that has to wait for this one. */
  blocks: z.string().optional(),
  /** When the step is done, where that is not always, in a sentence. */
  condition: z.string().optional(),
  /** What a tool is called with: JSON in lines, in which no character is hidden. */
  arguments: z.string().optional(),
});
export type StepFields = z.infer<typeof stepFields>;

export const changeStep = z.object({
  id,
  action: stepAction,
  target_key: z.string(),
  /** Project and tracker that are written to; null for a call of an outside tool and after the issue left the scope. */
  target_project_id: id.nullable(),
  target_tracker: namedTracker.nullable(),
  before: stepFields,
  after: stepFields,
  status: stepStatus,
  error: z.string().nullable(),
  /** What an outside tool answered: the word of a stranger. */
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
  /** Of a resolution, the first and the last are the pair's. */
  issue_keys: z.array(z.string()),
  /** The same issues in the same order, so that equal keys of two trackers can be told apart. */
  issues: z.array(issueReference),
  steps: z.array(changeStep),
  base_hashes: baseHashes,
  created_at: instant,
  /** When it was approved or rejected; null while it waits for that. */
  decided_at: instant.nullable(),
  /** Who had what failed tried again last. */
  retried_by: z.string().nullable(),
  applied_at: instant.nullable(),
  /** Of an undo, the change that it takes back. */
  undoes: id.nullable(),
  /** The change that took this one back, if one did. */
  undone_by: id.nullable(),
});
export type Change = z.infer<typeof change>;

const AHEAD: Record<string, string> = {
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

/** What a change is to do, by the title that says it as done: of `Merged A and B.` it is `Merge A and B`. */
export function titleAhead(title: string): string {
  return title.replace(/^\w+/, (verb) => AHEAD[verb] ?? verb).replace(/\.$/, '');
}

const changesFilter = {
  status: changeStatus.optional(),
  kind: changeKind.optional(),
  issue_id: id.optional(),
};
export const changesQuery = z.object({ ...pageQuery(20), ...changesFilter });

/** How the record of changes leaves for an audit: a table of steps, or one change a line. */
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
 * What the reviewer may decide about a pair: close one of the two as the other's duplicate, merge one into the other, make
 * the two distinct, or leave both as they are. A is `issue1`, B is `issue2`.
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

/** What every tracker takes. */
export const LONGEST_TITLE = 255;
export const LONGEST_DESCRIPTION = 65_536;
/** The same of a text to which we add a mark that nobody sees, by which it is found again. */
export const LONGEST_MARKED_TEXT = LONGEST_DESCRIPTION - 64;
/** The title of an issue, as somebody writes it. */
export const issueTitle = z
  .string()
  .trim()
  .min(1, 'A title is needed.')
  .max(LONGEST_TITLE, `A title has at most ${LONGEST_TITLE} characters.`)
  .regex(/^[^\r\n\u2028\u2029]*$/, 'A title is one line.')
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'A title is needed.');
/** The description of an issue, as somebody writes it. */
export const issueDescription = z
  .string()
  .max(
    LONGEST_DESCRIPTION,
    `A description has at most ${LONGEST_DESCRIPTION.toLocaleString('en')} characters.`,
  );
/** The text of a comment, as a user writes it. */
export const commentText = z
  .string()
  .trim()
  .min(1, 'A comment is needed.')
  .max(LONGEST_MARKED_TEXT, `A comment has at most ${LONGEST_MARKED_TEXT.toLocaleString('en')} characters.`);
const resultingTitle = issueTitle.optional();
const resultingDescription = issueDescription.optional();

export const resolutionPayload = z.object({
  issue1_id: id,
  issue2_id: id,
  resolution: resolutionChoice,
  /** The texts that an issue gets by a merge, of its target, and by deconflicting; one left out stays as it is. */
  resulting_issue_1_title: resultingTitle,
  resulting_issue_1_description: resultingDescription,
  resulting_issue_2_title: resultingTitle,
  resulting_issue_2_description: resultingDescription,
  /** Edited texts of the comments that the preview shows, by the id of the issue on which each is posted. */
  comments: z.record(id, commentText).optional(),
  base_hashes: baseHashes.optional(),
});
export type ResolutionPayload = z.infer<typeof resolutionPayload>;

/** A resolution for somebody to approve, and why. */
export const proposalPayload = resolutionPayload.extend({ reason: z.string().trim().max(2_000).optional() });
export type ProposalPayload = z.infer<typeof proposalPayload>;

export const resolutionResult = z.object({
  issue1_id: id,
  issue2_id: id,
  resolution,
  change_id: id,
  summary: z.string(),
  /** Where the change stands: `applying` when the answer is 202. */
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

/** The change a writing call would make, unsaved. */
export const changePreview = change
  .pick({ kind: true, title: true, rationale: true, issue_keys: true, issues: true, base_hashes: true })
  .extend({
    steps: z.array(
      changeStep
        .pick({
          action: true,
          target_key: true,
          target_project_id: true,
          target_tracker: true,
          before: true,
          after: true,
        })
        .extend({ /** Id of the issue that the step changes. */ target_id: id }),
    ),
  });
export type ChangePreview = z.infer<typeof changePreview>;
