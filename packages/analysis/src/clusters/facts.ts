import { type CodeBlock, DescriptionReader, MAX_READ_CHARS } from '../readiness/read-description.ts';
import { readIssue } from '../readiness/read-issue.ts';
import type { Statement } from '../readiness/statement.ts';
import { mentionsSteps } from '../readiness/topics.ts';
import type { EvaluatedIssue } from '../readiness/types.ts';
import { errorTextOf, isTraceLine } from '../stack-lines.ts';
import { formsIn, NAME_PATTERNS } from '../suggest/distinctions.ts';

/** Kinds of facts that a duplicate may add to the canonical issue of its cluster. */
type FactKind =
  | 'version'
  | 'platform'
  | 'error'
  | 'steps'
  | 'sample'
  | 'log'
  | 'screenshot'
  | 'workaround'
  | 'customer';

/** A fact quoted from an issue: a range of UTF-16 units in its title or description. */
export interface Fact {
  kind: FactKind;
  field: 'title' | 'body';
  start: number;
  end: number;
  /** Text of the range, unchanged. */
  quote: string;
}

/**
 * Fact kinds of `NAME_PATTERNS`, in the same order: system, browser, version, error and runtime.
 */
const NAME_KINDS: readonly FactKind[] = ['platform', 'platform', 'version', 'error', 'platform'];
const MAX_FACTS_PER_KIND = 5;
/** Output of a compiler or a shell, such as “main.rs:3:7: error: …”. */
const ERROR_LINE = /^[^\n]{0,80}\b(?:error|fatal|panic|failure)(?:\[\w{1,20}\])?: /i;
const IMAGE =
  /!\[[^[\]\n]{0,300}\]\([^()\s]{1,1000}\)|<img\s[^<>]{1,1000}>|!(?=\S)[^!\n|]{1,200}\.(?:png|jpe?g|gif|bmp|svg|webp|mp4|mov)(?:\|[^!\n]{0,200})?!/gi;
const WORKAROUND =
  /\bwork(?:ed|ing|s)?[- ]?arounds?\b|\bas an? (?:temporary|interim) (?:fix|solution|measure)\b/i;
const NO_WORKAROUND =
  /\b(?:no|any|without an?|not an?|(?:is|are)n['’]t an?|need an?|want an?)\s+(?:\w+\s+){0,2}work[- ]?arounds?\b|\bwork[- ]?arounds?\W{0,5}(?:none|no\b|n\/a|unknown|\?)/i;
const WORKAROUND_LABEL =
  /(?:^|\n)[ \t>*_-]{0,10}(?:#{1,6}|h[1-6]\.)?[ \t*_]{0,5}(?:known |possible )?work[- ]?arounds?(?:[ \t]{0,9}[:*_]{1,5}\s{0,9}|[ \t]{0,9}\n\s{0,9})(?:[-*+•][ \t]{1,9}|\d{1,3}[.)][ \t]{1,9})?$/i;
const STATES_NO_WORKAROUND = /^(?:no|none|not|unknown|there (?:is|are) no)\b/i;
/** Number of characters before a statement in which its label or heading is searched. */
const LABEL_CHARS = 60;
/** Customers are found only in labeled lines. Elsewhere, a capitalized word may be anything. */
const CUSTOMER_LINE =
  /^[ \t>*_-]{0,10}(?:(?:affected|reporting|impacted) )?(?:customers?|clients?)(?: names?)?[ \t*_]{0,5}[:：][*_]{0,3}[ \t]*([^\n]{2,200})$/gim;
const CUSTOMER = /[^,;]+/g;
const CUSTOMER_NAME = /^\p{Lu}[\p{L}\p{N}&.'’ -]{1,60}$/u;
const NO_CUSTOMER = /^(?:all|any|every|many|multiple|several|some|none|no|yes|n\/a|unknown|tb[dc])\b/i;
/** Line of a numbered list in Markdown or wiki markup. */
const NUMBERED_LINE = /^[ \t>]{0,20}(?:\d{1,9}[.)]|#)[ \t]/m;
const CLOSING_MARK = /^[ \t>]*(`{3,}|~{3,})|^\{(code|noformat)\b/;

/** Finds the facts of an issue that help to reproduce, locate or work around its problem. */
export function readFacts(issue: EvaluatedIssue): Fact[] {
  const reading = readIssue(issue);
  const body = issue.body.slice(0, MAX_READ_CHARS);
  const code = reading.code.map((block) => ({ ...block, end: endOfCode(body, block) }));
  const isInCode = (at: number) => code.some(({ start, end }) => start <= at && at < end);
  const found: Fact[] = [...namesIn('title', issue.title), ...namesIn('body', body)];
  const add = (kind: FactKind, { start, end }: { start: number; end: number }) =>
    found.push({ kind, field: 'body', start, end, quote: body.slice(start, end) });
  const steps = stepsIn(reading.body);
  if (steps !== null) add('steps', steps);
  for (const block of code) add(isLog(body, block) ? 'log' : 'sample', block);
  for (const { 0: image, index } of body.matchAll(IMAGE)) {
    if (!isInCode(index)) add('screenshot', { start: index, end: index + image.length });
  }
  for (const statement of reading.body) if (isWorkaround(body, statement)) add('workaround', statement);
  for (const customer of customersIn(body)) if (!isInCode(customer.start)) add('customer', customer);
  return limited(found);
}

/** True if the issue describes how to reproduce its problem. */
export function hasSteps({ body }: Pick<EvaluatedIssue, 'body'>): boolean {
  if (!mentionsSteps(body) && !NUMBERED_LINE.test(body)) return false;
  const reader = new DescriptionReader(body);
  reader.read();
  return stepsIn(reader.statements) !== null;
}

/**
 * Returns the facts of each member that the canonical issue lacks. A fact of several members is
 * listed at the first of them. Steps and code samples count only if the canonical issue has none.
 */
export function additionsOf<Member extends EvaluatedIssue & { id: string }>(
  canonical: EvaluatedIssue,
  members: readonly Member[],
): { id: string; facts: Fact[] }[] {
  const known = readFacts(canonical);
  const isNamed = formsIn(`${canonical.title}\n${canonical.body}`);
  const kinds = new Set(known.map(({ kind }) => kind));
  const keys = new Set(known.map(keyOf));
  return members.map((member) => {
    const facts = readFacts(member).filter((fact) => {
      const key = keyOf(fact);
      if (keys.has(key) || (isName(fact.kind) && isNamed(fact.quote))) return false;
      if ((fact.kind === 'steps' || fact.kind === 'sample') && kinds.has(fact.kind)) return false;
      keys.add(key);
      return true;
    });
    return { id: member.id, facts };
  });
}

function isName(kind: FactKind): boolean {
  return NAME_KINDS.includes(kind) || kind === 'customer';
}

function namesIn(field: Fact['field'], text: string): Fact[] {
  return NAME_PATTERNS.flatMap((pattern, at) =>
    Array.from(text.matchAll(pattern), ({ 0: quote, index }): Fact => {
      return { kind: NAME_KINDS[at] ?? 'platform', field, start: index, end: index + quote.length, quote };
    }),
  );
}

/**
 * Returns the range from the first step to the last. If the section of steps has no list, returns
 * the range of the section. Returns null if there are no steps.
 */
function stepsIn(statements: readonly Statement[]): { start: number; end: number } | null {
  const inSection = statements.filter(({ topic }) => topic === 'steps');
  const items = statements.filter(
    ({ kind, topic }) => kind !== 'prose' && (topic === 'steps' || (kind === 'step' && topic === null)),
  );
  const steps = items.length > 0 ? items : inSection;
  const [first, last] = [steps[0], steps.at(-1)];
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end };
}

/**
 * Returns the end of the whole code block. The block itself may end earlier, because passages of
 * code are shortened for display.
 */
function endOfCode(body: string, { start, end }: CodeBlock): number {
  const [, fence, macro] = CLOSING_MARK.exec(body.slice(start, start + 100)) ?? [];
  const mark = fence ?? (macro === undefined ? null : `{${macro}}`);
  if (mark !== null) {
    const firstLineEnd = body.indexOf('\n', start);
    const close = firstLineEnd < 0 ? -1 : body.indexOf(mark, firstLineEnd);
    return close < 0 ? body.length : close + mark.length;
  }
  let at = end;
  for (let next = body.indexOf('\n', at); next >= 0; next = body.indexOf('\n', at + 1)) {
    if (!isTraceLine(body.slice(at, next)) && at > end) break;
    at = next;
  }
  return Math.max(end, at);
}

function isLog(body: string, { start, end, isTrace }: CodeBlock): boolean {
  const lines = body.slice(start, end).split('\n');
  return (
    isTrace || lines.some((line) => isTraceLine(line) || ERROR_LINE.test(line) || errorTextOf(line) !== null)
  );
}

function isWorkaround(body: string, { text, start }: Statement): boolean {
  if (WORKAROUND.test(text)) return !NO_WORKAROUND.test(text);
  const before = body.slice(Math.max(0, start - LABEL_CHARS), start);
  return WORKAROUND_LABEL.test(before) && !STATES_NO_WORKAROUND.test(text);
}

function customersIn(body: string): { start: number; end: number }[] {
  return [...body.matchAll(CUSTOMER_LINE)].flatMap((line) => {
    const names = line[1] ?? '';
    const from = line.index + line[0].length - names.length;
    return [...names.matchAll(CUSTOMER)].flatMap(({ 0: part, index }) => {
      const name = part.trim();
      if (!CUSTOMER_NAME.test(name) || NO_CUSTOMER.test(name)) return [];
      const start = from + index + part.indexOf(name);
      return [{ start, end: start + name.length }];
    });
  });
}

/**
 * Removes repeated facts, and retains only the first facts of each kind. Sorts them in the order of
 * the text.
 */
function limited(facts: readonly Fact[]): Fact[] {
  const counts = new Map<FactKind, number>();
  const keys = new Set<string>();
  return facts
    .filter((fact) => {
      const key = keyOf(fact);
      const count = counts.get(fact.kind) ?? 0;
      if (keys.has(key) || count === MAX_FACTS_PER_KIND) return false;
      keys.add(key);
      counts.set(fact.kind, count + 1);
      return true;
    })
    .sort((a, b) => (a.field === b.field ? a.start - b.start : a.field === 'title' ? -1 : 1));
}

/**
 * Returns the key by which facts are compared. Logs with the same error have the same key, although
 * their numbers and addresses differ.
 */
function keyOf({ kind, quote }: Fact): string {
  const error =
    kind === 'log'
      ? quote
          .split('\n')
          .map(errorTextOf)
          .find((text) => text !== null)
      : null;
  return `${kind} ${(error ?? quote)
    .toLowerCase()
    .replace(/\d+/g, kind === 'log' ? '0' : '$&')
    .replace(/\s+/g, ' ')}`;
}
