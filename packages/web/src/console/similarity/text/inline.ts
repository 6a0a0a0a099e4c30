/** A range of a text (UTF-16 offsets) that is shown in one way. What lies between two ranges is syntax. */
export type Range = { start: number; end: number; style: 'plain' | 'code' | 'strong'; href: string | null };

/**
 * Inline code in one or two backticks, strong text, images, links. Every part is bounded and none can be read in two
 * ways, so a line of any length takes linear time.
 */
const INLINE =
  /``(?<code2>[^`\n]{1,500})``|`(?<code>[^`\n]{1,500})`|\*\*(?<strong>[^*\n]{1,500})\*\*|!?\[(?<label>[^[\]\n]{0,300})\]\((?<href>[^()\s]{1,1000})\)/dg;

function webAddress(href: string): string | null {
  return /^https?:\/\/[^\s]+$/i.test(href) ? href : null;
}

/** The shown ranges of a line's part `[from, to)`, in order. Empty ones are left out. */
export function inlineRanges(text: string, from: number, to: number): Range[] {
  const ranges: Range[] = [];
  const add = (start: number, end: number, style: Range['style'], href: string | null) => {
    if (end > start) ranges.push({ start, end, style, href });
  };
  let done = from;
  for (const match of text.slice(from, to).matchAll(INLINE)) {
    const { code2, code, strong, label } = match.indices?.groups ?? {};
    const inner = code2 ?? code ?? strong ?? label;
    if (inner === undefined) continue;
    add(done, from + match.index, 'plain', null);
    const style = (code2 ?? code) ? 'code' : strong ? 'strong' : 'plain';
    add(from + inner[0], from + inner[1], style, webAddress(match.groups?.href ?? ''));
    done = from + match.index + match[0].length;
  }
  add(done, to, 'plain', null);
  return ranges;
}
