import { z } from 'zod';
import { resolution } from './duplicate.ts';
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

/** One thing written to a tracker (or, for `mark_unrelated`, kept with us only). */
export const stepAction = z.enum([
  'edit',
  'comment',
  'close_as_duplicate',
  'reopen',
  'delete_comment',
  'mark_unrelated',
  'unmark_unrelated',
  'link_blocking',
  'unlink_blocking',
]);
export type StepAction = z.infer<typeof stepAction>;

/** The fields a step reads and writes; which are there depends on its action. */
export const stepFields = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  state: z.enum(['opened', 'closed']).optional(),
  comment: z.string().optional(),
  duplicate_of: z.string().optional(),
  /** Key of the issue that has to wait for this one. */
  blocks: z.string().optional(),
  /** When the step is done, where that is not always, in a sentence. */
  condition: z.string().optional(),
});
export type StepFields = z.infer<typeof stepFields>;

export const changeStep = z.object({
  id,
  action: stepAction,
  target_key: z.string(),
  before: stepFields,
  after: stepFields,
  status: stepStatus,
  error: z.string().nullable(),
  applied_at: instant.nullable(),
});

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
const resultingTitle = z
  .string()
  .trim()
  .min(1, 'A title is needed.')
  .max(LONGEST_TITLE)
  .regex(/^[^\r\n\u2028\u2029]*$/, 'A title is one line.')
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'A title is needed.')
  .optional();
const resultingDescription = z.string().max(LONGEST_DESCRIPTION).optional();

export const resolutionPayload = z.object({
  issue1_id: id,
  issue2_id: id,
  resolution: resolutionChoice,
  /** The texts that an issue gets by a merge, of its target, and by deconflicting; one left out stays as it is. */
  resulting_issue_1_title: resultingTitle,
  resulting_issue_1_description: resultingDescription,
  resulting_issue_2_title: resultingTitle,
  resulting_issue_2_description: resultingDescription,
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
  steps: z.array(changeStep.pick({ id: true, action: true, target_key: true, status: true, error: true })),
});
export type ResolutionResult = z.infer<typeof resolutionResult>;

/** The change a writing call would make, unsaved. */
export const changePreview = change
  .pick({ kind: true, title: true, rationale: true, issue_keys: true, base_hashes: true })
  .extend({ steps: z.array(changeStep.pick({ action: true, target_key: true, before: true, after: true })) });
export type ChangePreview = z.infer<typeof changePreview>;
