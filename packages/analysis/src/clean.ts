import {
  withoutHtml,
  withoutHtmlComments,
  withoutInlineMarkup,
  withoutLineMark,
  withoutMachineBlocks,
} from './markup.ts';
import { normalized } from './normalized.ts';
import { errorTextOf, isTraceLine } from './stack-lines.ts';
import { isTemplateLine } from './template-lines.ts';

/**
 * Version of the results of `cleanBody` and `textForEmbedding`. Increment it whenever they change:
 * stored vectors are then computed again.
 */
export const CLEANING_VERSION = 1;

/**
 * Maximum characters of a description that are embedded. The longest input of a supported model is
 * 512 tokens, about 2,000 characters of English.
 */
const MAX_EMBEDDED_CHARS = 4000;

const URL_TEXT = /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>"'`|(){}[\]]{1,2000}/gi;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const HEX = /\b(?:0x[0-9a-f]{2,64}|(?=[a-f]{0,64}\d)(?=\d{0,64}[a-f])[0-9a-f]{8,64})\b/gi;
const LONG_NUMBER = /\b\d{9,40}\b/g;
const DATE_TIME =
  /\b\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?(?: ?Z\b| ?[+-]\d{2}:?\d{2}\b)?/g;
const CLOCK_TIME = /\b\d{1,2}:\d{2}:\d{2}(?:[.,:]\d{1,9})?\b/g;
const NAMED_DATE =
  /\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6} \d{1,2}(?:,? \d{4}\b| (?=\d{2}:\d{2}))/g;
/** Line of a Python stack trace. The next line quotes the source code that ran. */
const PYTHON_FRAME = /^[ \t]*File "[^"]{1,500}", line \d/;
/** A letter, a digit or a pictograph. A line without one has no content. */
export const CONTENT_CHARACTER = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
const INLINE_FRAME =
  /[ \t]at [\w$./<>@-]{1,300}\((?:[\w$.-]{1,100}:\d{1,7}|[\w$-]{1,100}\.(?:java|scala|kt)|Native Method|Unknown Source)\)/g;

/**
 * Returns the words of a description that say what the issue is about. Drops markup, code fences,
 * comments, stack frames, thread dumps and form headings. Also drops browser and build lines, URLs,
 * times, hexadecimal numbers and UUIDs. Exception lines remain.
 *
 * Returns one statement per line, without empty lines. Runs in linear time.
 */
export function cleanBody(body: string): string {
  return cleanLines(body).join('\n');
}

/** Returns the cleaned description. `errorText` holds only those lines that report an error. */
export function cleanWithErrors(body: string): { text: string; errorText: string } {
  const lines = cleanLines(body);
  const errors = new Set<string>();
  for (const line of lines) {
    const error = errorTextOf(line);
    if (error !== null) errors.add(error);
  }
  return { text: lines.join('\n'), errorText: [...errors].join('\n') };
}

/**
 * Returns the normalized text by which two issues are compared for equality. Unifies compatibility
 * characters, case and white space, and drops nothing. Includes the title: two issues without a
 * description are equal only if their titles are.
 */
export function normalizeText(title: string, body: string): string {
  return `${unify(title)}\n${unify(body)}`;
}

/** Returns the text that is embedded: the title as a sentence, then the cleaned description. */
export function textForEmbedding(title: string, body: string): string {
  const head = unmarked(title);
  const rest = cleanBody(body).slice(0, MAX_EMBEDDED_CHARS).replaceAll('\n', ' ');
  if (head === '' || rest === '') return head + rest;
  return `${head}. ${rest}`;
}

function unify(text: string): string {
  return normalized(text, 'NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function unmarked(title: string): string {
  return title
    .replace(/[`*]{1,3}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function cleanLines(body: string): string[] {
  const written = body.replace(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll('\u00a0', ' ');
  const source = withoutHtml(withoutMachineBlocks(withoutHtmlComments(written)));
  const kept: string[] = [];
  let frameIndent = -1;
  for (const line of withoutInlineMarkup(source).split('\n')) {
    const isQuotedSource = frameIndent >= 0 && indentOf(line) > frameIndent;
    frameIndent = PYTHON_FRAME.test(line) ? indentOf(line) : -1;
    if (isQuotedSource || !CONTENT_CHARACTER.test(line) || isTraceLine(line)) continue;
    const unmarkedLine = withoutLineMark(line);
    if (isTemplateLine(unmarkedLine, line)) continue;
    const said = withoutNoise(unmarkedLine);
    if (CONTENT_CHARACTER.test(said)) kept.push(said);
  }
  return kept;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/**
 * Drops the parts of a line that differ between reports of the same problem: URLs, times and
 * identifiers.
 */
function withoutNoise(line: string): string {
  let text = line;
  if (text.includes('://')) text = text.replace(URL_TEXT, ' ');
  if (text.includes(' at ') || text.includes('\tat ')) text = text.replace(INLINE_FRAME, ' ');
  if (/\d/.test(text)) {
    text = text
      .replace(UUID, ' ')
      .replace(DATE_TIME, ' ')
      .replace(NAMED_DATE, ' ')
      .replace(CLOCK_TIME, ' ')
      .replace(HEX, ' ')
      .replace(LONG_NUMBER, ' ');
  }
  return text.replace(/\s+/g, ' ').trim();
}
