/** Headings of issue forms by topic. They are in lower case and without punctuation. */
const FORM_HEADINGS: Readonly<Record<string, string>> = {
  facts: `actual|actual behavior|actual behaviour|actual output|actual result|actual results|bug description|bug report
    current behavior|current behaviour|describe the bug|describe the issue|describe the problem|description
    detailed description|issue|issue description|observed behavior|observed behaviour|overview|problem|problem description
    summary|what did you see instead|what happened|what happened instead|what happens|what is the current behavior|what went wrong`,
  steps: `how to reproduce|minimal reproduction|repro|repro steps|reproducible example|reproduction|reproduction steps|steps
    steps to repro|steps to reproduce|steps to reproduce the bug|str|to reproduce|what did you do`,
  expected: `expected|expected behavior|expected behaviour|expected output|expected result|expected results|what did you expect
    what did you expect to happen|what did you expect to see|what is the expected behavior|what should have happened
    what you expected to happen`,
  environment: `browser|environment|operating system|os|platform|system info|system information|version|versions|your environment`,
  log: `debug logs|error|error message|log|log output|logs|relevant log output|stack trace|stacktrace`,
  workaround: 'workaround|workarounds',
  solution: `describe the solution you'd like|possible solution|proposed solution|suggested solution|solution`,
  notes: `additional context|additional info|additional information|additional notes|any additional comments|anything else|notes
    other information`,
  pictures: 'screenshot|screenshots',
};

const TOPIC_BY_HEADING: ReadonlyMap<string, string> = new Map(
  Object.entries(FORM_HEADINGS).flatMap(([topic, headings]) =>
    headings.split(/[|\n]/).map((heading) => [heading.trim(), topic] as const),
  ),
);

/** Topic of the text before the first heading. */
export const FACTS = 'facts';

const MARKED_HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
/** Maximum length of a heading without `#`, in UTF-16 code units. */
const MAX_PLAIN_HEADING_CHARS = 60;

/** Returns the words of a heading in lower case. Returns null if the line is not a heading. */
export function headingOf(line: string): string | null {
  if (MARKED_HEADING.test(line)) return headingText(line);
  const text = line.trim();
  if (text.length > MAX_PLAIN_HEADING_CHARS || !/^(?:\*\*|__).*(?:\*\*|__):?$|:$/.test(text)) return null;
  const words = headingText(text);
  return TOPIC_BY_HEADING.has(words) ? words : null;
}

/** Returns the topic of a heading. The topic of an unknown heading is the heading itself. */
export function topicOf(heading: string): string {
  return TOPIC_BY_HEADING.get(heading) ?? `“${heading}”`;
}

/** True if a heading comes from an issue form. Such a heading says nothing about the issue. */
export function isFormHeading(heading: string): boolean {
  return heading === '' || TOPIC_BY_HEADING.has(heading);
}

function headingText(line: string): string {
  return line
    .trim()
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]{1,20}/u, '')
    .replace(/[^\p{L}\p{N}]{1,20}$/u, '');
}
