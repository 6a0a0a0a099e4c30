import { TEMPLATE_VARIABLES, type TemplateVariable } from '@winnow/contract/flow';
import { type Fence, MAX_SHOWN_CHARS, visible } from '../ai/fence.ts';
import { cutTo } from '../platform/text.ts';
import type { EventFacts } from './facts.ts';
import { nearestName } from './nearest-name.ts';

const VARIABLE = /\{\{([^{}]*)\}\}/g;
const UNCLOSED = /\{\{\s*[\w.]+(?!\s*\}\}|[\w.])/;
/** Stands where there is nothing, such as the comment of an event that is none. */
const NOTHING = '(none)';

/**
 * A flow's prompt with the facts of an event put in. What strangers wrote is fenced, on lines of its own, so that the model
 * can tell it from what it is told to do: the system prompt has to say what the fence means. It stands there once; where it is
 * named again, it is referred to. Names that are not known are left as they stand: {@link problemOfTemplate} keeps them from
 * being saved.
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
  for (const found of template.matchAll(VARIABLE)) {
    append(template.slice(from, found.index));
    from = found.index + found[0].length;
    const name = (found[1] ?? '').trim();
    if (!isVariable(name)) {
      append(found[0]);
      continue;
    }
    const value = factOf(name, facts) ?? '';
    if (value.trim() === '') append(NOTHING);
    else if (OWN.has(name)) append(oneLine(value));
    else if (shown.has(name)) append(`(${name}, as above)`);
    else {
      shown.add(name);
      if (rendered !== '' && (isAfterBlock || !rendered.endsWith('\n'))) rendered += '\n';
      rendered += LONG.has(name) ? fence.text(name, value) : fence.line(name, value);
      isAfterBlock = true;
    }
  }
  append(template.slice(from));
  return rendered;
}

/** What is wrong with a template, in a sentence; null when nothing is. */
export function problemOfTemplate(template: string): string | null {
  for (const [whole, name = ''] of template.matchAll(VARIABLE)) {
    if (isVariable(name.trim())) continue;
    const nearest = nearestName(name.trim(), Object.keys(TEMPLATE_VARIABLES));
    return `There is no ${oneLine(whole)}. The nearest name is {{${nearest}}}.`;
  }
  const unclosed = UNCLOSED.exec(template)?.[0];
  return unclosed === undefined ? null : `${oneLine(unclosed)} is not closed by }}.`;
}

/** What trackers and we say, not those who write issues; it is short, and stays in its sentence. */
const OWN: ReadonlySet<TemplateVariable> = new Set([
  'event.type',
  'event.time',
  'issue.key',
  'issue.state',
  'issue.url',
  'project.identifier',
  'account.name',
]);
const LONG: ReadonlySet<TemplateVariable> = new Set(['event.comment', 'event.commits', 'issue.description']);

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
  return cutTo(visible(text).replace(/\s+/gu, ' ').trim(), MAX_SHOWN_CHARS.line);
}
