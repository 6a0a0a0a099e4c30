/** How a stretch of text is set. Marks that markdown lacks are not kept here. */
export interface Marks {
  strong?: true;
  em?: true;
  strike?: true;
  code?: true;
  /** The address a link leads to. */
  href?: string;
}

/**
 * A piece of a line. An `atom` is something of the tracker's own, such as a mention, that markdown shows as text (or as an
 * image, when it has an address); `source` is what the tracker calls it.
 */
export type Inline<Source = never> =
  | { type: 'text'; text: string; marks: Marks }
  | { type: 'break' }
  | { type: 'image'; alt: string; url: string }
  | { type: 'atom'; text: string; url: string | null; source: Source };

export interface ListItem<Source = never> {
  /** Null for an item that is no task. */
  checked: boolean | null;
  blocks: Block<Source>[];
}

/** What descriptions and comments are made of, whatever markup they come in. */
export type Block<Source = never> =
  | { type: 'paragraph'; inlines: Inline<Source>[] }
  | { type: 'heading'; level: number; inlines: Inline<Source>[] }
  | { type: 'code'; language: string; text: string }
  | { type: 'quote'; blocks: Block<Source>[] }
  /** `start` is the first number; null for bullets. */
  | { type: 'list'; start: number | null; items: ListItem<Source>[] }
  /** The first row is the heading. */
  | { type: 'table'; rows: Inline<Source>[][][] }
  | { type: 'rule' };

/** The lines' pieces with neighbours of the same look made one, and without empty ones. */
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

/** The signs that stand for the box of a task where the tracker's list has none. */
const BOXES = { open: '☐', done: '☑' };

/** The sign of a task as the first words of its item. */
export function boxOf(isDone: boolean): Inline<never> {
  return { type: 'text', text: `${isDone ? BOXES.done : BOXES.open} `, marks: {} };
}

/** The item as a task if its text begins with the sign of one. */
export function withBox<Source>({ checked, blocks }: ListItem<Source>): ListItem<Source> {
  const [first, ...rest] = blocks;
  const [lead, ...others] = first?.type === 'paragraph' ? first.inlines : [];
  const sign = lead?.type === 'text' ? /^([☐☑])(?:\s+|$)/.exec(lead.text) : null;
  if (checked !== null || lead?.type !== 'text' || sign === null) return { checked, blocks };
  const inlines = joined([{ ...lead, text: lead.text.slice(sign[0].length) }, ...others]);
  return { checked: sign[1] === BOXES.done, blocks: [{ type: 'paragraph', inlines }, ...rest] };
}

/** The pieces as one line, for a place that holds no line breaks. */
export function asLine<Source>(inlines: readonly Inline<Source>[]): Inline<Source>[] {
  return joined(
    inlines.map((inline) => (inline.type === 'break' ? { type: 'text', text: ' ', marks: {} } : inline)),
  );
}

/** A heading where the tracker allows none: a line in bold. */
export function strongLine<Source>(inlines: readonly Inline<Source>[]): Inline<Source>[] {
  return asLine(inlines).map((inline) => {
    return inline.type === 'text' ? { ...inline, marks: { ...inline.marks, strong: true } } : inline;
  });
}
