import { withoutLineMark } from '../markup.ts';
import { isTemplateLine } from '../template-lines.ts';
import { MAX_CUE_CHARS } from './cue.ts';
import { selfPraiseCue } from './lexicon.ts';
import type { Topic } from './topics.ts';
import type { Evidence } from './types.ts';
import { countWords } from './word-count.ts';

/** A statement of an issue: a sentence, a list item or a table row. */
export interface Statement extends Evidence {
  text: string;
  kind: 'prose' | 'item' | 'step';
  /** Topic of the heading or label above the statement. */
  topic: Topic | null;
  words: number;
}

/** Minimum words of a statement that describes something. Shorter statements only name it. */
export const MIN_DESCRIBING_WORDS = 4;
/** Maximum length of a passage for display, in UTF-16 code units. */
const MAX_EVIDENCE_CHARS = 300;
const PLACEHOLDER_TEXT =
  /^(?:_?no response_?|n\/?a|none|nothing|tb[dac]|to ?do|\?+|-+|…|\.\.\.|x|xxx|foo|test|keine?|aucune?|ninguno|なし|未定)[.!]?$/i;
const STATES_NONE = /^(?:none|nothing|n\/?a|no|keine?|aucune?|ninguno|ninguna|なし)[.!]?$/i;
const FORM_TEXT =
  /^(?:a clear and concise description|if applicable,? add|add any other context|(?:go to|click on|scroll down to) ['"‘“]?\.{2,}|describe (?:the|your|what|how|any|alternatives)|please (?:describe|provide|fill|add a|explain|include|make sure|search|read)|steps to reproduce the behavior|as an? <|as an? \[|given <|\[(?:e\.g|insert|describe|add)|<(?:e\.g|insert|describe|add)|e\.g\. (?:ios|chrome|22|safari|iphone)|(?:os|browser|version|device): ?\[e\.g|see error\.?$|ex\. i['’]m always frustrated|i['’]m always frustrated when \[)/i;

/**
 * Creates a statement from a range of a text. Returns null for placeholders, form texts and
 * self-praise.
 */
export function statementOf(
  field: 'title' | 'body',
  text: string,
  range: { start: number; end: number },
  kind: Statement['kind'],
  topic: Topic | null,
): Statement | null {
  const written = text.slice(range.start, range.end);
  const start = range.start + written.length - written.trimStart().length;
  const end = range.start + written.trimEnd().length;
  const read = text.slice(start, Math.min(end, start + MAX_CUE_CHARS)).toWellFormed();
  const plain = withoutLineMark(read).replaceAll('**', '').trim();
  const words = countWords(plain);
  if (
    words === 0 ||
    (PLACEHOLDER_TEXT.test(plain) && !saysNone(plain, topic)) ||
    FORM_TEXT.test(plain) ||
    selfPraiseCue(plain)
  )
    return null;
  if (isTemplateLine(plain, read)) return null;
  return { ...passageOf(field, text, start, end), text: plain, kind, topic, words };
}

/** True if a text under a heading about dependencies states that there are none. */
export function saysNone(text: string, topic: Topic | null): boolean {
  return topic === 'dependencies' && STATES_NONE.test(text);
}

/** Returns a passage for display. Shortens it without splitting a character. */
export function passageOf(field: Evidence['field'], text: string, start: number, end: number): Evidence {
  const shown = Math.min(end, start + MAX_EVIDENCE_CHARS);
  const isCut = /[\ud800-\udbff]/.test(text[shown - 1] ?? '');
  return { field, start, end: isCut ? shown - 1 : shown };
}
