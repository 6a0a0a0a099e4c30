/** Formatting of a text. Marks that Markdown lacks are not represented. */
export interface Marks {
  strong?: true;
  em?: true;
  strike?: true;
  code?: true;
  /** Target of a link. */
  href?: string;
}

/**
 * A piece of a line. An `atom` is a tracker-specific element such as a mention. Markdown shows it
 * as text, or as an image if it has a URL. `source` is the tracker's representation.
 */
export type Inline<Source = never> =
  | { type: 'text'; text: string; marks: Marks }
  | { type: 'break' }
  | { type: 'image'; alt: string; url: string }
  | { type: 'atom'; text: string; url: string | null; source: Source };

export interface ListItem<Source = never> {
  /** Null for an item that is not a task. */
  checked: boolean | null;
  blocks: Block<Source>[];
}

/** Blocks of descriptions and comments, independent of the markup. */
export type Block<Source = never> =
  | { type: 'paragraph'; inlines: Inline<Source>[] }
  | { type: 'heading'; level: number; inlines: Inline<Source>[] }
  | { type: 'code'; language: string; text: string }
  | { type: 'quote'; blocks: Block<Source>[] }
  /** `start` is the first number, or null for bullets. */
  | { type: 'list'; start: number | null; items: ListItem<Source>[] }
  /** The first row is the header. */
  | { type: 'table'; rows: Inline<Source>[][][] }
  | { type: 'rule' };

/** Merges adjacent pieces with equal marks and drops empty ones. */
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

/** Symbols for task checkboxes where the tracker's lists have none. */
const BOXES = { open: '☐', done: '☑' };

/** Returns the checkbox symbol that starts a task's text. */
export function boxOf(isDone: boolean): Inline<never> {
  return { type: 'text', text: `${isDone ? BOXES.done : BOXES.open} `, marks: {} };
}

/** Turns an item into a task if its text starts with a checkbox symbol. */
export function withBox<Source>({ checked, blocks }: ListItem<Source>): ListItem<Source> {
  const [first, ...rest] = blocks;
  const [lead, ...others] = first?.type === 'paragraph' ? first.inlines : [];
  const sign = lead?.type === 'text' ? /^([☐☑])(?:\s+|$)/.exec(lead.text) : null;
  if (checked !== null || lead?.type !== 'text' || sign === null) return { checked, blocks };
  const inlines = joined([{ ...lead, text: lead.text.slice(sign[0].length) }, ...others]);
  return { checked: sign[1] === BOXES.done, blocks: [{ type: 'paragraph', inlines }, ...rest] };
}

/** Replaces line breaks by spaces, for places that allow one line only. */
export function asLine<Source>(inlines: readonly Inline<Source>[]): Inline<Source>[] {
  return joined(
    inlines.map((inline) => (inline.type === 'break' ? { type: 'text', text: ' ', marks: {} } : inline)),
  );
}

/** Replaces a heading by a bold line, for places that allow no headings. */
export function strongLine<Source>(inlines: readonly Inline<Source>[]): Inline<Source>[] {
  return asLine(inlines).map((inline) => {
    return inline.type === 'text' ? { ...inline, marks: { ...inline.marks, strong: true } } : inline;
  });
}
