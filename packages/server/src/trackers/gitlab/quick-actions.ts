import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt('commonmark');

/** Start of a line that GitLab may execute: a slash and a word, unless it continues like a path. */
const COMMAND = /^([ \t]*)(?=\/\w+(?![\w./-]))/i;
/**
 * GitLab-specific blocks (front matter, `>>>` quotes, math, alerts). They may end code blocks
 * where standard Markdown does not.
 */
const GITLAB_BLOCK = /^(?:---|\+\+\+|;;;)|^[ \t]*(?:>>>|\$\$|:::)/m;

/**
 * Escapes quick actions in Markdown without changing its appearance. GitLab executes and removes
 * lines such as `/close` outside code. A backslash before the slash is invisible and prevents that.
 * Line ends become `\n`, because GitLab removes `\r` before parsing.
 */
export function withoutQuickActions(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const inCode = linesInCode(lines);
  return lines.map((line, index) => (inCode.has(index) ? line : line.replace(COMMAND, '$1\\'))).join('\n');
}

/** Returns the lines that are certainly code for GitLab. Unclosed blocks do not count. */
function linesInCode(lines: readonly string[]): ReadonlySet<number> {
  const text = lines.join('\n');
  const found = new Set<number>();
  if (GITLAB_BLOCK.test(text)) return found;
  for (const { type, map, markup } of markdown.parse(text, {})) {
    if (map === null || (type !== 'fence' && type !== 'code_block')) continue;
    const [from, to] = map;
    if (type === 'fence' && (to - from < 2 || !lines[to - 1]?.includes(markup))) continue;
    for (let index = from; index < to; index += 1) found.add(index);
  }
  return found;
}
