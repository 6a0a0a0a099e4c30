import { isOpenQuestion } from '../../../features/issues/text-fields/open-questions.ts';

/** Text to insert into a description, and the offset at which to insert it. */
export interface Insertion {
  at: number;
  text: string;
}

/** Section of a template: a heading, and a question to answer below it. */
export interface TemplateSection {
  heading: string;
  question: string;
}

const CHECKLIST_HEADING = 'Open questions';
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;

/** True if a description already asks the question. */
function isAsked(description: string, question: string): boolean {
  return description.split('\n').some((line) => isOpenQuestion(line) && line.includes(question));
}

/**
 * Returns an insertion that adds questions to the checklist of a description. Without a checklist,
 * it adds one at the end. Null if the description already contains all questions.
 */
export function checklistInsertion(description: string, questions: readonly string[]): Insertion | null {
  const items = [...new Set(questions)]
    .filter((question) => !isAsked(description, question))
    .map(checklistItem);
  if (items.length === 0) return null;
  const end = endOfSection(description, CHECKLIST_HEADING);
  if (end !== null) return { at: end, text: `\n${items.join('\n')}` };
  return atEnd(description, `${headingPrefix(description)} ${CHECKLIST_HEADING}\n\n${items.join('\n')}`);
}

/**
 * Returns an insertion that adds the sections missing in a description, each with its question.
 * Null if no section is missing.
 */
export function templateInsertion(
  description: string,
  sections: readonly TemplateSection[],
): Insertion | null {
  const missing = missingSections(description, sections);
  if (missing.length === 0) return null;
  return atEnd(
    description,
    missing
      .map(
        ({ heading, question }) => `${headingPrefix(description)} ${heading}\n\n${checklistItem(question)}`,
      )
      .join('\n\n'),
  );
}

/** Returns the template sections whose headings the description does not contain. */
export function missingSections(
  description: string,
  sections: readonly TemplateSection[],
): TemplateSection[] {
  return sections.filter(({ heading }) => endOfSection(description, heading) === null);
}

/**
 * Formats a question as a checklist item, marked so that readers do not mistake it for a statement.
 */
function checklistItem(question: string): string {
  return `- [ ] _To clarify: ${question}_`;
}

/**
 * Returns the Markdown prefix for a new heading, such as `##`. It has the highest heading level in
 * the description, or `##` if the description has no headings.
 */
function headingPrefix(description: string): string {
  const prefixes = description.split('\n').flatMap((line) => HEADING.exec(line)?.[1] ?? []);
  return prefixes.reduce((top, prefix) => (prefix.length < top.length ? prefix : top), prefixes[0] ?? '##');
}

function atEnd(description: string, text: string): Insertion {
  const at = description.trimEnd().length;
  return { at, text: at === 0 ? text : `\n\n${text}` };
}

/**
 * Returns the offset at which the section with this heading ends. Null if the description has no
 * such heading.
 */
function endOfSection(description: string, heading: string): number | null {
  let [at, end] = [0, null as number | null];
  let isInside = false;
  for (const line of description.split('\n')) {
    const found = HEADING.exec(line)?.[2];
    if (found !== undefined) {
      if (isInside) return end;
      isInside = found.toLowerCase() === heading.toLowerCase();
    }
    if (isInside && line.trim() !== '') end = at + line.trimEnd().length;
    at += line.length + 1;
  }
  return end;
}
