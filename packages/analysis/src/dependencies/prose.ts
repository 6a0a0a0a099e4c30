import { maskedMarkup } from '../markup.ts';

const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
const QUOTE = /^[ \t]*(?:>|bq\.[ \t])/;
const QUOTED_MAIL_HEADING =
  /^-{2,}[ \t]*(?:original message|forwarded message|ursprüngliche nachricht)[ \t]*-{2,}/i;
const LIST_ITEM = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]/;
const INDENTED = /^(?:\t| {4})/;
const QUOTED_CONTENT =
  /<(pre|code|script|style|blockquote)\b[^<>]{0,300}>|\{(code|noformat|quote)(?:[:=][^{}\n]{0,300})?\}|\{\{/gi;

/**
 * Returns only the prose of a text in Markdown, HTML or Jira markup. Code, quotes, quoted emails,
 * comments and tags are replaced by blanks. Offsets stay valid, and lines end with `\n`. Runs in
 * linear time.
 */
export function proseOf(text: string): string {
  const lines = text
    .replaceAll('\r\n', ' \n')
    .replace(/[\r\u2028\u2029]/g, '\n')
    .split('\n');
  return maskedMarkup(withoutCodeSpans(withoutContents(withoutBlocks(lines).join('\n'))));
}

/** Replaces all characters by blanks, except line breaks. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Replaces fenced code, indented code, quoted lines and quoted emails by blanks. */
function withoutBlocks(lines: readonly string[]): string[] {
  let fence = '';
  let isMail = false;
  let isInList = false;
  let isAfterBlank = true;
  let isCode = false;
  return lines.map((line) => {
    if (isMail) return blank(line);
    const mark = FENCE.exec(line)?.[1];
    if (fence !== '') {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = '';
      return blank(line);
    }
    if (mark !== undefined) {
      fence = mark;
      return blank(line);
    }
    if (line.trim() === '') {
      isAfterBlank = true;
      return line;
    }
    isMail = QUOTED_MAIL_HEADING.test(line);
    isCode = INDENTED.test(line) && !isInList && (isAfterBlank || isCode);
    if (LIST_ITEM.test(line) && !isCode) isInList = true;
    else if (/^\S/.test(line)) isInList = false;
    isAfterBlank = false;
    return isMail || isCode || QUOTE.test(line) ? blank(line) : line;
  });
}

/**
 * Replaces code and quotes by blanks, from the opening tag or macro to the closing one. Ignores
 * tags and macros without an end.
 */
function withoutContents(text: string): string {
  let kept = '';
  let from = 0;
  const ends = new Map<string, number>();
  // Lower-cases only ASCII letters. Other letters may change their length, which would make offsets
  // invalid.
  const lower = text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
  for (const { 0: opening, 1: tag, 2: macro, index } of text.matchAll(QUOTED_CONTENT)) {
    if (index < from) continue;
    const end =
      tag !== undefined ? `</${tag.toLowerCase()}>` : macro === undefined ? '}}' : `{${macro.toLowerCase()}}`;
    const start = index + opening.length;
    const known = ends.get(end);
    const close = known !== undefined && (known < 0 || known >= start) ? known : lower.indexOf(end, start);
    ends.set(end, close);
    if (close < 0) continue;
    kept += text.slice(from, index) + blank(text.slice(index, close + end.length));
    from = close + end.length;
  }
  return kept + text.slice(from);
}

/**
 * Replaces `code spans` by blanks. A span extends from a run of backticks to the next run of the
 * same length in the paragraph.
 */
function withoutCodeSpans(text: string): string {
  const runs = [...text.matchAll(/`+|\n[ \t]*\n/g)];
  const nextOfLength = new Int32Array(runs.length).fill(-1);
  let last = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const run = runs[at]?.[0] ?? '';
    if (run.startsWith('\n')) {
      last = new Map();
      continue;
    }
    nextOfLength[at] = last.get(run.length) ?? -1;
    last.set(run.length, at);
  }
  let kept = '';
  let from = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const close = nextOfLength[at] ?? -1;
    const [opening, closing] = [runs[at], runs[close]];
    if (opening === undefined || closing === undefined) continue;
    const end = closing.index + closing[0].length;
    kept += text.slice(from, opening.index) + blank(text.slice(opening.index, end));
    from = end;
    at = close;
  }
  return kept + text.slice(from);
}
