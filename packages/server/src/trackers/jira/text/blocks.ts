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
