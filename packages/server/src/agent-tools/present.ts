import { type Change, type ChangeStep, imperativeTitle } from '@winnow/contract/change';
import type { Dependency } from '@winnow/contract/dependency';
import type { IssueReference } from '@winnow/contract/issue';
import type {
  AgentIssue,
  AgentIssueField,
  AgentReference,
  McpOutput,
  NamedIssue,
} from '@winnow/contract/mcp';
import { FIELDS_OF_LISTS } from '@winnow/contract/mcp';
import { type InsteadOf, insteadOfText } from '@winnow/contract/verdict';
import { visible } from '../ai/index.ts';
import { type ChangeRecord, presentChange } from '../changes/index.ts';
import type { ClusterView } from '../clusters/index.ts';
import { type IssueView, labelOf, presentIssue, trackerLabel } from '../issues/index.ts';
import { invalid } from '../platform/errors.ts';
import { mapTexts, truncate, truncateWithCount } from '../platform/text.ts';

/**
 * Maximum length of texts returned to an agent, in UTF-16 code units. `step` applies to texts in
 * the steps of changes.
 */
export const MAX_EXCERPT_CHARS = { description: 20_000, comment: 2_000, step: 300 } as const;

type Written = McpOutput<'update_issue'>;
type AgentChange = McpOutput<'list_changes'>['changes'][number];
type AgentCluster = McpOutput<'list_clusters'>['clusters'][number];
type AgentDependency = McpOutput<'detect_dependencies'>['dependencies'][number];

/** Converts an issue to the form for agents. Omits fields that are empty or were not requested. */
export function agentIssue(
  stored: IssueView,
  fields: readonly AgentIssueField[] = FIELDS_OF_LISTS,
  descriptionFrom = 0,
): AgentIssue {
  const issue = presentIssue(stored);
  const all: Record<AgentIssueField, unknown> = {
    title: issue.title,
    state: issue.state,
    status: issue.status,
    issue_type: issue.issue_type,
    priority: issue.priority,
    labels: issue.labels,
    assignees: issue.assignees,
    author: issue.author,
    project: issue.project.identifier,
    parent_key: issue.parent_key,
    url: issue.url,
    comments_count: issue.comments_count,
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    description: excerptOf(issue.description, MAX_EXCERPT_CHARS.description, descriptionFrom),
    content_hash: issue.content_hash,
    synced_at: issue.synced_at,
  };
  const shown = fields.filter((field) => !isEmpty(all[field])).map((field) => [field, all[field]]);
  return { ...namedIssue(stored), ...Object.fromEntries(shown) };
}

/** Returns only id, key and tracker of an issue. */
export function namedIssue(
  issue: Pick<IssueView, 'id' | 'key' | 'tracker_name' | 'tracker_type'>,
): NamedIssue {
  return { id: issue.id, key: issue.key, tracker: trackerLabel(issue) };
}

/** Converts a cluster to the form for agents. */
export function agentCluster({ row, canonical }: ClusterView): AgentCluster {
  return {
    cluster_id: row.id,
    revision: row.revision,
    name: row.given_name ?? row.name,
    status: row.status,
    size: row.size,
    open_issues: row.open_issues,
    probability: row.probability,
    ...(canonical === null ? {} : { canonical: namedIssue(canonical.issue) }),
  };
}

/**
 * Returns an excerpt of an untrusted text, from offset `from` and at most `longest` code units
 * long. Removes invisible characters. If text is omitted, a mark at the end states the number of
 * omitted characters.
 */
export function excerptOf(text: string, longest: number, from = 0): string {
  const shown = visible(text);
  const start = truncate(shown, from).length;
  return truncateWithCount(shown.slice(start), from + longest - start);
}

/**
 * Returns the offset in the text at which an {@link excerptOf} ends. The next excerpt begins there.
 * Undefined if the excerpt reaches the end of the text.
 */
export function nextOffset(text: string, longest: number, from = 0): number | undefined {
  const end = from + longest;
  return visible(text).length > end ? end : undefined;
}

const TRUNCATION_NOTE = /… \(\d+ more characters\)/;

/**
 * Refuses a new description that contains the mark of {@link excerptOf}. Writing such a description
 * would lose the omitted text.
 * @throws {AppError} `invalid`, unless the previous description contained such a mark too
 */
export function refuseTruncated(description: string | undefined, before = ''): void {
  if (description === undefined || !TRUNCATION_NOTE.test(description) || TRUNCATION_NOTE.test(before)) return;
  const message =
    'This contains the mark “… (N more characters)” of a truncated text. Read the rest with description_from of get_issue, then send the whole text.';
  throw invalid([{ path: 'description', message }]);
}

/**
 * Selects excerpts of the long texts in a step, by offset and maximum length. Texts of up to
 * `MAX_SHOWN_CHARS.step` are always returned completely.
 */
export interface StepExcerpt {
  maxChars: number;
  offset: number;
}

/** Excerpts of step texts in lists. */
export const STEP_EXCERPTS: StepExcerpt = { maxChars: MAX_EXCERPT_CHARS.step, offset: 0 };

/**
 * Returns the offset at which the step texts continue after their excerpts. Undefined if all texts
 * are complete.
 */
export function nextStepOffset({ steps }: Change, { maxChars, offset }: StepExcerpt): number | undefined {
  const texts: string[] = [];
  mapTexts(
    steps.map(({ before, after }) => [before, after]),
    (text) => {
      texts.push(text);
      return text;
    },
  );
  return texts.map((text) => nextOffset(text, maxChars, offset)).find((rest) => rest !== undefined);
}

function shownInStep(text: string, { maxChars, offset }: StepExcerpt): string {
  return text.length > MAX_EXCERPT_CHARS.step ? excerptOf(text, maxChars, offset) : text;
}

/**
 * Converts a change to the form for agents. Includes its steps with the excerpts that `texts`
 * selects; null omits the steps.
 */
export function agentChange(change: Change, texts: StepExcerpt | null): AgentChange {
  return {
    change_id: change.id,
    title: isDone(change.status) ? change.title : imperativeTitle(change.title),
    kind: change.kind,
    status: change.status,
    asked_by: change.actor.name,
    ...(change.rationale === null ? {} : { reason: change.rationale }),
    ...(change.decided_by === null ? {} : { decided_by: change.decided_by }),
    issues: change.issues.map(agentReference),
    created_at: change.created_at,
    ...(texts
      ? {
          steps: change.steps.map((step) => ({
            ...agentStep(step),
            before: mapTexts(step.before, (text) => shownInStep(text, texts)),
            after: mapTexts(step.after, (text) => shownInStep(text, texts)),
          })),
        }
      : {}),
  };
}

/**
 * Converts a reference to an issue to the form for agents. Omits the tracker if the issue is not
 * stored.
 */
export function agentReference({ id, key, tracker }: IssueReference): AgentReference {
  return { id, key, ...(tracker && { tracker: labelOf(tracker) }) };
}

function agentStep({ action, target_key: target, target_tracker: tracker, status, error }: ChangeStep) {
  return {
    action,
    target,
    ...(tracker && { tracker: labelOf(tracker) }),
    status,
    ...(error === null ? {} : { error }),
  };
}

/** Converts a dependency to the form for agents. */
export function agentDependency(dependency: Dependency): AgentDependency {
  return {
    blocker: agentReference(dependency.source),
    blocked: agentReference(dependency.dependent),
    reason: dependency.reason,
    confidence: dependency.confidence_score,
    in_tracker: dependency.is_committed || dependency.comes_from_tracker,
  };
}

/**
 * Converts the outcome of a write to the form for agents. `record` is null if nothing had to be
 * written.
 */
export function presentWrite(record: ChangeRecord | null): Written {
  if (record === null)
    return { status: 'unchanged', summary: 'Nothing to do: the issue already has these values.' };
  const { id, status, title, steps, issues } = presentChange(record);
  const [issue] = issues;
  return {
    status,
    summary: [summaryOf(status, title), ...notesOf(steps)].join(' '),
    change_id: id,
    ...(issue === undefined ? {} : presentWrittenReference(agentReference(issue))),
    steps: steps.map(agentStep),
  };
}

type WrittenTo = Pick<Written, 'issue_key' | 'issue_id' | 'tracker'>;

/** Returns the form for agents of an issue that was created or changed. */
export function presentWrittenIssue(issue: Parameters<typeof namedIssue>[0]): WrittenTo {
  return presentWrittenReference(namedIssue(issue));
}

/** Returns the form for agents of an issue that was written to and that may not be stored. */
export function presentWrittenReference({ key, id, tracker }: AgentReference): WrittenTo {
  return { issue_key: key, issue_id: id, ...(tracker && { tracker }) };
}

/**
 * Describes the progress of a change in one sentence. Only an applied change is described in the
 * past tense.
 */
function summaryOf(status: Change['status'], title: string): string {
  const ahead = imperativeTitle(title);
  switch (status) {
    case 'proposed':
      return `Proposed: ${ahead}. Nothing is written until a person or another key approves it.`;
    case 'applying':
      return `In progress: ${ahead}. Check list_changes for the result.`;
    case 'applied':
      return title.replace(/^Undo:/, 'Undone:');
    case 'partly_applied':
      return `Partly written: ${ahead}. The steps give the reason.`;
    case 'failed':
      return `Not written: ${ahead}. The steps give the reason.`;
    case 'rejected':
      return `Rejected, nothing was written: ${ahead}.`;
    case 'undone':
      return `Undone: ${title}`;
  }
}

/** Returns a notice for the agent if the built-in analyst judged in place of the default model. */
export function fallbackNotice(insteadOf: InsteadOf): { notice?: string } {
  const notice = insteadOfText(insteadOf);
  return notice === null ? {} : { notice };
}

/**
 * True if a change with this status was applied, so that its title, in the past tense, is correct.
 */
function isDone(status: Change['status']): boolean {
  return status === 'applied' || status === 'partly_applied' || status === 'undone';
}

/** Returns the notes of steps that are complete. */
function notesOf(steps: Change['steps']): string[] {
  return steps.flatMap(({ status, error }) => (status === 'applied' && error !== null ? [error] : []));
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
