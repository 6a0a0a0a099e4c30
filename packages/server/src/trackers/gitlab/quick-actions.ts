import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt('commonmark');

/** A line GitLab may take for a command: a slash and a word, with nothing after it that a path has. */
const COMMAND = /^([ \t]*)(?=\/\w+(?![\w./-]))/i;
/** Blocks that only GitLab knows (front matter, quotes between `>>>`, mathematics, alerts): it may end code where others do not. */
const OF_GITLAB_ONLY = /^(?:---|\+\+\+|;;;)|^[ \t]*(?:>>>|\$\$|:::)/m;

/**
 * The text as Markdown that shows the same and commands nothing. GitLab carries out lines such as `/close` in comments and
 * descriptions and takes them away, unless they are code; a backslash before the slash is not shown and keeps them text. Line
 * ends become `\n`, since GitLab takes each `\r` out before it looks.
 */
export function withoutQuickActions(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const inCode = linesInCode(lines);
  return lines.map((line, index) => (inCode.has(index) ? line : line.replace(COMMAND, '$1\\'))).join('\n');
}

/** Which lines are code to GitLab for certain; none of a block that is never closed. */
function linesInCode(lines: readonly string[]): ReadonlySet<number> {
  const text = lines.join('\n');
  const found = new Set<number>();
  if (OF_GITLAB_ONLY.test(text)) return found;
  for (const { type, map, markup } of markdown.parse(text, {})) {
    if (map === null || (type !== 'fence' && type !== 'code_block')) continue;
    const [from, to] = map;
    if (type === 'fence' && (to - from < 2 || !lines[to - 1]?.includes(markup))) continue;
    for (let index = from; index < to; index += 1) found.add(index);
  }
  return found;
}
