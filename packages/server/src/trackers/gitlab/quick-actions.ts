import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt('commonmark');

/**
 * Start of a line that GitLab may execute as a command: a slash and a word. A path such as
 * `/usr/bin` does not match.
 */
const COMMAND = /^([ \t]*)(?=\/\w+(?![\w./-]))/i;
/**
 * Blocks that only GitLab has: front matter, `>>>` quotes, math and alerts. They may end a code
 * block that continues in standard Markdown.
 */
const GITLAB_BLOCK = /^(?:---|\+\+\+|;;;)|^[ \t]*(?:>>>|\$\$|:::)/m;

/**
 * Escapes quick actions in Markdown without changing the displayed text.
 *
 * GitLab executes and removes lines such as `/close` unless they are in a code block. A backslash
 * before the slash prevents that and is not displayed. Line ends become `\n`, because GitLab
 * removes `\r` before parsing.
 */
export function withoutQuickActions(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const inCode = linesInCode(lines);
  return lines.map((line, index) => (inCode.has(index) ? line : line.replace(COMMAND, '$1\\'))).join('\n');
}

/**
 * Returns the numbers of the lines that are certainly code for GitLab. Lines of a code block that
 * is never closed are not included.
 */
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
