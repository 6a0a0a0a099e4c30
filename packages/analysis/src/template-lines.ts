/**
 * Recognizes lines that do not come from the author of an issue: headings of forms, confirmations,
 * and version output of programs. Unrelated issues contain the same lines, so texts are compared
 * without them.
 */

/**
 * Headings of common issue forms. They are in lower case, without marks and without a closing
 * colon.
 */
const HEADINGS: ReadonlySet<string> = new Set(
  `actual|actual behavior|actual behaviour|actual output|actual result|actual results|additional context
  additional info|additional information|additional notes|any additional comments|anything else|bug description
  bug report|checklist|code of conduct|code sample|current behavior|current behaviour|debug logs|describe the bug
  describe the issue|describe the problem|description|detailed description|details|do you want to request a feature or report a bug
  environment|expected|expected behavior|expected behaviour|expected output|expected result|expected results
  feature request|how to reproduce|issue|issue description|issue type|link to minimal reproduction|logs|log output|minimal reproduction
  notes|observed behavior|observed behaviour|other information|output|overview|possible solution|problem
  problem description|proposed solution|relevant log output|repro|repro steps|reproduction|reproduction steps|reproducible example
  screenshot|screenshots|severity|stack trace|stacktrace|steps|steps to repro|steps to reproduce|steps to reproduce the bug
  str|suggested solution|summary|system info|system information|to reproduce|user story|version|versions|what did you expect
  what did you expect to happen|what did you expect to see|what did you see instead|what did you do|what happened
  what happened instead|what is the current behavior|what is the expected behavior|what should have happened|what went wrong
  what you expected to happen|workaround|your environment`
    .split(/[|\n]/)
    .map((heading) => heading.trim()),
);

const CONFIRMATION_LINE =
  /^[-*+]? ?\[[ xX]\] .{0,40}(?:\bI(?:'ve| have| am| agree| understand| confirm| searched| checked| read)\b|code of conduct|existing issues?|not a duplicate|latest version)/i;

/** Keys of `Key: value` lines that describe the reporter's machine. */
const MACHINE_KEYS =
  'user[- ]?agent|build (?:id|identifier|date)|(?:vs ?code|os|browser|app|product|kernel|platform|application|electron|chromium|chrome|firefox|node(?:\\.js)?|v8|python|java|npm|docker) ?version|os|operating system|electron|chromium|node(?:\\.js)?|v8|commit|sandboxed|remote os version|modes|cpus|gpu status|load \\(avg\\)|memory \\(system\\)|process argv|screen reader|vm|system|arch(?:itecture)?|distro';
const MACHINE_LINE = new RegExp(`^(?:${MACHINE_KEYS}) ?[:|=] ?.{0,400}$`, 'i');
const BROWSER_LINE = /\bMozilla\/5\.0 \(/;
const TABLE_RULE = /^[|+=\-: _*#~^]{3,}$/;

/**
 * True if a line comes from a form. `line` has no heading mark or list mark. `raw` is the original
 * line, because its checkbox identifies a confirmation.
 */
export function isTemplateLine(line: string, raw: string): boolean {
  const text = line.trim();
  if (text.length > 500) return false;
  if (TABLE_RULE.test(text) || BROWSER_LINE.test(text)) return true;
  if (text.length <= 60 && HEADINGS.has(headingWords(text))) return true;
  return CONFIRMATION_LINE.test(raw.trim()) || MACHINE_LINE.test(text.replace(/^\|+ ?/, ''));
}

/**
 * Returns only the words of a heading, in lower case. For example, `**Steps to reproduce:**`
 * becomes `steps to reproduce`.
 */
function headingWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]{1,20}/u, '')
    .replace(/[^\p{L}\p{N}]{1,20}$/u, '');
}
