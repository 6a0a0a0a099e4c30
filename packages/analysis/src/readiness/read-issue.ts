import { isWordingKnown } from './language.ts';
import { requestCue, symptomCue } from './lexicon.ts';
import { type CodeBlock, DescriptionReader } from './read-description.ts';
import { type Statement, statementOf } from './statement.ts';
import type { EvaluatedIssue } from './types.ts';

/**
 * The statements of an issue, without repetitions. Excludes headings, form texts, code and
 * self-praise.
 */
export interface Reading {
  isBug: boolean;
  isQuestion: boolean;
  title: Statement | null;
  /** Statements of the description. */
  body: Statement[];
  /** All statements. The title is first. */
  all: Statement[];
  code: CodeBlock[];
  /** Number of words in all statements. */
  words: number;
  /**
   * True if the language is supported. Otherwise, checks can only use the structure of the text.
   */
  isWordingKnown: boolean;
}

const BUG_TYPE = /bug|defect|incident|fault|fehler|regression|crash|バグ|不具合/i;
const QUESTION_TYPE = /question|support|frage|help/i;
const OTHER_TYPE = /feature|story|enhancement|task|epic|chore|improvement|request/i;

/** Parses an issue into statements and properties that checks need. Runs in linear time. */
export function readIssue({ title, body, type, labels }: EvaluatedIssue): Reading {
  const reader = new DescriptionReader(body);
  reader.read();
  const titled = statementOf('title', title, { start: 0, end: title.length }, 'prose', null);
  const body_ = reader.statements;
  const all = titled === null ? body_ : [titled, ...body_];
  const kind =
    [type, ...labels].find(
      (word) => BUG_TYPE.test(word) || QUESTION_TYPE.test(word) || OTHER_TYPE.test(word),
    ) ?? '';
  const hasSteps = body_.some(
    ({ topic, kind: form }) => topic === 'steps' || (topic === 'expected' && form !== 'item'),
  );
  return {
    isBug:
      BUG_TYPE.test(kind) ||
      (kind === '' && (hasSteps || isFault(titled) || reader.code.some(({ isTrace }) => isTrace))),
    isQuestion: QUESTION_TYPE.test(kind),
    title: titled,
    body: body_,
    all,
    code: reader.code,
    words: all.reduce((sum, { words }) => sum + words, 0),
    isWordingKnown: isWordingKnown(all.map(({ text }) => text).join(' ')),
  };
}

/** True if the title describes a malfunction instead of a task. */
function isFault(title: Statement | null): boolean {
  return title !== null && symptomCue(title.text) && !requestCue(title.text);
}
