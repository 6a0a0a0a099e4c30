import { isOpenQuestion } from '../../../features/issues/text-fields/open-questions.ts';

/** A text to put into a description, and the position where it goes. */
export interface Insertion {
  at: number;
  text: string;
}

/** A template section: a heading and the question to answer below it. */
export interface TemplateSection {
  heading: string;
  question: string;
}

const CHECKLIST = 'Open questions';
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;

/** True if a description asks the question already. */
function isAsked(description: string, question: string): boolean {
  return description.split('\n').some((line) => isOpenQuestion(line) && line.includes(question));
}

/**
 * Questions as a checklist under a heading at the end of a description, or at the end of the
 * checklist that it has. Null if it asks all of them.
 */
export function checklistInsertion(description: string, questions: readonly string[]): Insertion | null {
  const items = [...new Set(questions)].filter((question) => !isAsked(description, question)).map(itemOf);
  if (items.length === 0) return null;
  const end = endOfSection(description, CHECKLIST);
  if (end !== null) return { at: end, text: `\n${items.join('\n')}` };
  return atEnd(description, `${markIn(description)} ${CHECKLIST}\n\n${items.join('\n')}`);
}

/** The sections that a description does not have, each with its question. Null if it has all. */
export function templateInsertion(
  description: string,
  sections: readonly TemplateSection[],
): Insertion | null {
  const missing = missingSections(description, sections);
  if (missing.length === 0) return null;
  return atEnd(
    description,
    missing
      .map(({ heading, question }) => `${markIn(description)} ${heading}\n\n${itemOf(question)}`)
      .join('\n\n'),
  );
}

/** The sections whose heading a description does not have. */
export function missingSections(
  description: string,
  sections: readonly TemplateSection[],
): TemplateSection[] {
  return sections.filter(({ heading }) => endOfSection(description, heading) === null);
}

/**
 * An item of a checklist, marked as a question so that nobody takes it for a statement of the
 * issue.
 */
function itemOf(question: string): string {
  return `- [ ] _To clarify: ${question}_`;
}

/**
 * The mark of the headings at the top of a description; that of the second level where it has none.
 */
function markIn(description: string): string {
  const marks = description.split('\n').flatMap((line) => HEADING.exec(line)?.[1] ?? []);
  return marks.reduce((top, mark) => (mark.length < top.length ? mark : top), marks[0] ?? '##');
}

function atEnd(description: string, text: string): Insertion {
  const at = description.trimEnd().length;
  return { at, text: at === 0 ? text : `\n\n${text}` };
}

/** Where the text under a heading ends; null without that heading. */
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
