import { type Change, type ChangeStep, titleAhead } from '@winnow/contract/change';
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
import { visible } from '../ai/fence.ts';
import type { ChangeRecord } from '../changes/ledger.ts';
import { presentChange } from '../changes/present.ts';
import { labelOf, trackerLabel } from '../issues/key-scope.ts';
import { presentIssue } from '../issues/present.ts';
import type { IssueView } from '../issues/service.ts';
import { invalid } from '../platform/errors.ts';
import { beginningOf, cutTo, mapTexts } from '../platform/text.ts';

/** The longest texts that an agent is given, in UTF-16 code units: descriptions, comments, and what a step of a change writes. */
export const LONGEST_SHOWN = { description: 20_000, comment: 2_000, step: 300 } as const;

type Written = McpOutput<'update_issue'>;
type AgentChange = McpOutput<'list_changes'>['changes'][number];
type AgentDependency = McpOutput<'detect_dependencies'>['dependencies'][number];

/** An issue as agents read it: of the fields that are known those that were asked for and are not empty. */
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
    description: shortened(issue.description, LONGEST_SHOWN.description, descriptionFrom),
    content_hash: issue.content_hash,
  };
  const shown = fields.filter((field) => !isEmpty(all[field])).map((field) => [field, all[field]]);
  return { ...namedIssue(stored), ...Object.fromEntries(shown) };
}

/** An issue as results name it. */
export function namedIssue(
  issue: Pick<IssueView, 'id' | 'key' | 'tracker_name' | 'tracker_type'>,
): NamedIssue {
  return { id: issue.id, key: issue.key, tracker: trackerLabel(issue) };
}

/** A text of a stranger without what a person would not see in it, and not too long. */
export function shortened(text: string, longest: number, from = 0): string {
  const shown = visible(text);
  const start = cutTo(shown, from).length;
  return beginningOf(shown.slice(start), from + longest - start);
}

/** Where the rest begins of a text that is {@link shortened}; undefined when nothing is left. */
export function restOf(text: string, longest: number, from = 0): number | undefined {
  const end = from + longest;
  return visible(text).length > end ? end : undefined;
}

const CUT = /… \(\d+ more characters\)/;

/** @throws {AppError} 422 for a description that was read in part: written, it would lose the rest. */
export function expectWhole(description: string | undefined, before = ''): void {
  if (description === undefined || !CUT.test(description) || CUT.test(before)) return;
  const message =
    'This holds the mark “… (N more characters)” of a text that was read in part. Read the rest with description_from of get_issue, and give the whole text.';
  throw invalid([{ path: 'description', message }]);
}

/** How much is shown of each text that a step of a change writes, and from where. Texts of a line come whole each time. */
export interface StepTexts {
  longest: number;
  from: number;
}

/** What a list shows of the texts of steps. */
export const BEGINNINGS: StepTexts = { longest: LONGEST_SHOWN.step, from: 0 };

/** Where the rest begins of what the steps of a change write; undefined when nothing is left. */
export function restOfSteps({ steps }: Change, { longest, from }: StepTexts): number | undefined {
  const texts: string[] = [];
  mapTexts(
    steps.map(({ before, after }) => [before, after]),
    (text) => {
      texts.push(text);
      return text;
    },
  );
  return texts.map((text) => restOf(text, longest, from)).find((rest) => rest !== undefined);
}

function shownInStep(text: string, { longest, from }: StepTexts): string {
  return text.length > LONGEST_SHOWN.step ? shortened(text, longest, from) : text;
}

/** A change as agents read it; with its steps, and a part of their texts, if they are asked for. */
export function agentChange(change: Change, texts: StepTexts | null): AgentChange {
  return {
    change_id: change.id,
    title: isDone(change.status) ? change.title : titleAhead(change.title),
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

/** An issue that something mentions, as agents read it; without its tracker if it is not stored any more. */
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

/** A dependency as agents read it. */
export function agentDependency(dependency: Dependency): AgentDependency {
  return {
    blocker: agentReference(dependency.source),
    blocked: agentReference(dependency.dependent),
    reason: dependency.reason,
    confidence: dependency.confidence_score,
    in_tracker: dependency.is_committed || dependency.comes_from_tracker,
  };
}

/** What became of something that was to be written; null when all was so already. */
export function writtenAnswer(record: ChangeRecord | null): Written {
  if (record === null) return { status: 'unchanged', summary: 'Nothing to do: it is so already.' };
  const { id, status, title, steps, issues } = presentChange(record);
  const [issue] = issues;
  return {
    status,
    summary: [saidOf(status, title), ...notesOf(steps)].join(' '),
    change_id: id,
    ...(issue === undefined ? {} : writtenToReference(agentReference(issue))),
    steps: steps.map(agentStep),
  };
}

type WrittenTo = Pick<Written, 'issue_key' | 'issue_id' | 'tracker'>;

/** Names the issue that was created or written to. */
export function writtenTo(issue: Parameters<typeof namedIssue>[0]): WrittenTo {
  return writtenToReference(namedIssue(issue));
}

/** The same for an issue that may not be stored any more. */
export function writtenToReference({ key, id, tracker }: AgentReference): WrittenTo {
  return { issue_key: key, issue_id: id, ...(tracker && { tracker }) };
}

/** How far a change is, and what it does: as done only where it is. */
function saidOf(status: Change['status'], title: string): string {
  const ahead = titleAhead(title);
  switch (status) {
    case 'proposed':
      return `Proposed: ${ahead}. Nothing is written until a person, or another key, approves it.`;
    case 'applying':
      return `Still being written: ${ahead}. list_changes tells when it is done.`;
    case 'applied':
      return title.replace(/^Undo:/, 'Undone:');
    case 'partly_applied':
      return `Only partly written: ${ahead}. The steps say why.`;
    case 'failed':
      return `Not written: ${ahead}. The steps say why.`;
    case 'rejected':
      return `Rejected, and nothing is written: ${ahead}.`;
    case 'undone':
      return `Taken back: ${title}`;
  }
}

/** Whether a title that says something as done is true. */
function isDone(status: Change['status']): boolean {
  return status === 'applied' || status === 'partly_applied' || status === 'undone';
}

/** What there is to say of steps that are done. */
function notesOf(steps: Change['steps']): string[] {
  return steps.flatMap(({ status, error }) => (status === 'applied' && error !== null ? [error] : []));
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
