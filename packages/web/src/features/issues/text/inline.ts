/**
 * Range of a text (UTF-16 offsets) with one style. The characters between two ranges are Markdown
 * syntax.
 */
export type Range = {
  start: number;
  end: number;
  style: 'plain' | 'code' | 'strong' | 'em';
  href: string | null;
};

/** A backslash that escapes the following character. */
const ESCAPE = /\\[!-/:-@[-`{-~]/g;

/**
 * Matches escaped characters, inline code, strong text, emphasis, images and links. All parts are
 * bounded and unambiguous, so matching takes linear time.
 */
const INLINE =
  /\\[!-/:-@[-`{-~]|``(?<code2>[^`\n]{1,500})``|`(?<code>[^`\n]{1,500})`|\*\*(?<strong>[^*\n]{1,500})\*\*|(?<![\p{L}\p{N}*])\*(?=[^\s*])(?<em>[^*\n]{1,500})(?<=\S)\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}_])_(?=[^\s_])(?<em2>[^_\n]{1,500})(?<=\S)_(?![\p{L}\p{N}_])|!?\[(?<label>[^[\]\n]{0,300})\]\((?<href>[^()\s]{1,1000})\)/dgu;

function webAddress(href: string): string | null {
  return /^https?:\/\/[^\s]+$/i.test(href) ? href : null;
}

/**
 * Returns the visible, non-empty ranges of `text` between the offsets `from` and `to`, in order.
 */
export function inlineRanges(text: string, from: number, to: number): Range[] {
  const ranges: Range[] = [];
  const add = (start: number, end: number, style: Range['style'], href: string | null) => {
    if (end > start) ranges.push({ start, end, style, href });
  };
  const addText = (start: number, end: number, style: Range['style'], href: string | null) => {
    let at = start;
    for (const { index } of text.slice(start, end).matchAll(ESCAPE)) {
      add(at, start + index, style, href);
      at = start + index + 1;
    }
    add(at, end, style, href);
  };
  let done = from;
  for (const match of text.slice(from, to).matchAll(INLINE)) {
    const { code2, code, strong, em, em2, label } = match.indices?.groups ?? {};
    const emphasis = em ?? em2;
    const inner = code2 ?? code ?? strong ?? emphasis ?? label;
    if (inner === undefined) continue;
    addText(done, from + match.index, 'plain', null);
    if (code2 ?? code) add(from + inner[0], from + inner[1], 'code', null);
    else {
      const href = webAddress(match.groups?.href ?? '');
      addText(from + inner[0], from + inner[1], strong ? 'strong' : emphasis ? 'em' : 'plain', href);
    }
    done = from + match.index + match[0].length;
  }
  addText(done, to, 'plain', null);
  return ranges;
}
