import { TEMPLATE_VARIABLES, type TemplateVariable } from '@winnow/contract/flow';
import { type Fence, MAX_SHOWN_CHARS, visible } from '../ai/index.ts';
import { truncate } from '../platform/text.ts';
import type { EventFacts } from './facts.ts';
import { nearestName } from './nearest-name.ts';

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const UNCLOSED_PLACEHOLDER = /\{\{\s*[\w.]+(?!\s*\}\}|[\w.])/;
/** Text inserted for a missing value, such as the comment of an event without a comment. */
const MISSING_VALUE = '(none)';

/**
 * Renders the prompt of a flow with the facts of an event. Unknown variables stay unchanged; {@link
 * problemOfTemplate} prevents saving them.
 *
 * Untrusted texts are fenced on separate lines, so that the model can tell data from its task. The
 * system prompt must explain the fence. Each text is inserted only once; later uses refer to it.
 */
export function renderTemplate(template: string, facts: EventFacts, fence: Fence): string {
  let rendered = '';
  let from = 0;
  let isAfterBlock = false;
  const shown = new Set<TemplateVariable>();
  const append = (text: string) => {
    if (text === '') return;
    rendered += isAfterBlock && !text.startsWith('\n') ? `\n${text}` : text;
    isAfterBlock = false;
  };
  for (const found of template.matchAll(PLACEHOLDER)) {
    append(template.slice(from, found.index));
    from = found.index + found[0].length;
    const name = (found[1] ?? '').trim();
    if (!isVariable(name)) {
      append(found[0]);
      continue;
    }
    const value = factOf(name, facts) ?? '';
    if (value.trim() === '') append(MISSING_VALUE);
    else if (TRUSTED_VARIABLES.has(name)) append(oneLine(value));
    else if (shown.has(name)) append(`(${name}, as above)`);
    else {
      shown.add(name);
      if (rendered !== '' && (isAfterBlock || !rendered.endsWith('\n'))) rendered += '\n';
      rendered += MULTILINE_VARIABLES.has(name) ? fence.text(name, value) : fence.line(name, value);
      isAfterBlock = true;
    }
  }
  append(template.slice(from));
  return rendered;
}

/** Returns a sentence that describes the problem of a template; null if the template is valid. */
export function problemOfTemplate(template: string): string | null {
  for (const [whole, name = ''] of template.matchAll(PLACEHOLDER)) {
    if (isVariable(name.trim())) continue;
    const nearest = nearestName(name.trim(), Object.keys(TEMPLATE_VARIABLES));
    return `Unknown variable ${oneLine(whole)}. Did you mean {{${nearest}}}?`;
  }
  const unclosed = UNCLOSED_PLACEHOLDER.exec(template)?.[0];
  return unclosed === undefined ? null : `${oneLine(unclosed)} is not closed by }}.`;
}

/**
 * Variables whose values come from trackers and Winnow, not from authors of issues. The values are
 * short and inserted inline.
 */
const TRUSTED_VARIABLES: ReadonlySet<TemplateVariable> = new Set([
  'event.type',
  'event.time',
  'cluster.id',
  'cluster.size',
  'issue.key',
  'issue.state',
  'issue.url',
  'project.identifier',
  'account.name',
]);
const MULTILINE_VARIABLES: ReadonlySet<TemplateVariable> = new Set([
  'event.comment',
  'event.commits',
  'issue.description',
]);

function isVariable(name: string): name is TemplateVariable {
  return Object.hasOwn(TEMPLATE_VARIABLES, name);
}

function factOf(
  name: TemplateVariable,
  { event, issue, project, account }: EventFacts,
): string | null | undefined {
  switch (name) {
    case 'event.type':
      return event.type;
    case 'event.actor':
      return event.actor;
    case 'event.time':
      return event.occurred_at;
    case 'event.comment':
      return event.details.comment;
    case 'event.branch':
      return event.details.branch;
    case 'event.commits':
      return event.details.commits;
    case 'cluster.id':
      return event.details.cluster_id;
    case 'cluster.name':
      return event.details.cluster_name;
    case 'cluster.size':
      return event.details.cluster_size;
    case 'issue.key':
      return issue?.key ?? event.issue_key;
    case 'issue.title':
      return issue?.title ?? event.issue_title;
    case 'issue.description':
      return issue?.description;
    case 'issue.state':
      return issue?.state;
    case 'issue.type':
      return issue?.issue_type;
    case 'issue.priority':
      return issue?.priority;
    case 'issue.labels':
      return issue?.labels.join(', ');
    case 'issue.author':
      return issue?.author;
    case 'issue.assignees':
      return issue?.assignees.join(', ');
    case 'issue.url':
      return issue?.url ?? event.url;
    case 'project.name':
      return project?.name;
    case 'project.identifier':
      return project?.identifier ?? event.project;
    case 'account.name':
      return account.name;
  }
}

function oneLine(text: string): string {
  return truncate(visible(text).replace(/\s+/gu, ' ').trim(), MAX_SHOWN_CHARS.line);
}
