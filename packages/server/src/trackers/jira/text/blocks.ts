/** Formatting of a piece of text. Only formatting that Markdown supports is represented. */
export interface Marks {
  strong?: true;
  em?: true;
  strike?: true;
  code?: true;
  /** URL of the link, if the text is a link. */
  href?: string;
}

/**
 * A piece of a line: text, a line break, an image or an atom. An atom is an element that only the
 * tracker has, such as a mention. Markdown shows it as text, or as an image if it has a URL.
 * `source` is the tracker's representation of the atom.
 */
export type Inline<Source = never> =
  | { type: 'text'; text: string; marks: Marks }
  | { type: 'break' }
  | { type: 'image'; alt: string; url: string }
  | { type: 'atom'; text: string; url: string | null; source: Source };

export interface ListItem<Source = never> {
  /** True for a checked task, false for an unchecked task, null for an item that is not a task. */
  checked: boolean | null;
  blocks: Block<Source>[];
}

/** Blocks of a description or comment, in a form that does not depend on the markup. */
export type Block<Source = never> =
  | { type: 'paragraph'; inlines: Inline<Source>[] }
  | { type: 'heading'; level: number; inlines: Inline<Source>[] }
  | { type: 'code'; language: string; text: string }
  | { type: 'quote'; blocks: Block<Source>[] }
  /** Number of the first item in a numbered list. Null for a bulleted list. */
  | { type: 'list'; start: number | null; items: ListItem<Source>[] }
  /** Rows of the table. The first row is its header. */
  | { type: 'table'; rows: Inline<Source>[][][] }
  | { type: 'rule' };

/** Merges adjacent texts that have the same formatting, and removes empty texts. */
export function joined<Source>(inlines: readonly Inline<Source>[]): Inline<Source>[] {
  const result: Inline<Source>[] = [];
  for (const inline of inlines) {
    const last = result.at(-1);
    if (inline.type === 'text' && inline.text === '') continue;
    if (inline.type === 'text' && last?.type === 'text' && sameMarks(inline.marks, last.marks)) {
      result[result.length - 1] = { ...last, text: last.text + inline.text };
    } else {
      result.push(inline);
    }
  }
  return result;
}

function sameMarks(left: Marks, right: Marks): boolean {
  return (
    left.strong === right.strong &&
    left.em === right.em &&
    left.strike === right.strike &&
    left.code === right.code &&
    left.href === right.href
  );
}

/**
 * Characters that show a task's checkbox as text, for lists in which the tracker supports no tasks.
 */
const BOXES = { open: '☐', done: '☑' };

/** Returns the checkbox character to write before the text of a task. */
export function boxOf(isDone: boolean): Inline<never> {
  return { type: 'text', text: `${isDone ? BOXES.done : BOXES.open} `, marks: {} };
}

/** Converts a list item to a task if its text starts with a checkbox character. */
export function withBox<Source>({ checked, blocks }: ListItem<Source>): ListItem<Source> {
  const [first, ...rest] = blocks;
  const [lead, ...others] = first?.type === 'paragraph' ? first.inlines : [];
  const sign = lead?.type === 'text' ? /^([☐☑])(?:\s+|$)/.exec(lead.text) : null;
  if (checked !== null || lead?.type !== 'text' || sign === null) return { checked, blocks };
  const inlines = joined([{ ...lead, text: lead.text.slice(sign[0].length) }, ...others]);
  return { checked: sign[1] === BOXES.done, blocks: [{ type: 'paragraph', inlines }, ...rest] };
}

/** Replaces line breaks by spaces, for text that must be a single line. */
export function asLine<Source>(inlines: readonly Inline<Source>[]): Inline<Source>[] {
  return joined(
    inlines.map((inline) => (inline.type === 'break' ? { type: 'text', text: ' ', marks: {} } : inline)),
  );
}

/** Converts a heading to a line of bold text, for content that may contain no headings. */
export function strongLine<Source>(inlines: readonly Inline<Source>[]): Inline<Source>[] {
  return asLine(inlines).map((inline) => {
    return inline.type === 'text' ? { ...inline, marks: { ...inline.marks, strong: true } } : inline;
  });
}
