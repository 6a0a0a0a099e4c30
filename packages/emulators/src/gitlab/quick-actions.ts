/**
 * A quick action: a line with a command such as `/close`. GitLab executes it and removes the line
 * from the text.
 */
export interface QuickAction {
  name: string;
  argument: string;
}

const known = ['duplicate', 'close', 'reopen', 'label', 'unlabel', 'assign', 'title', 'confidential', 'move'];
const command = /^\/([a-z_]+)(?:[ ]+(.*))?\s*$/i;

/**
 * Extracts the quick actions of a text. They are lines in paragraphs that start with a slash and a
 * known command. If there are any, removes every `\r` and trims the remaining text. Otherwise
 * returns the text unchanged.
 */
export function extractQuickActions(text: string): { content: string; actions: QuickAction[] } {
  const actions: QuickAction[] = [];
  const lines = text.replaceAll('\r', '').split('\n');
  const paragraphs = linesOfParagraphs(lines);
  const kept = lines.filter((line, index) => {
    const [, name = '', argument = ''] = (paragraphs.has(index) && command.exec(line)) || [];
    if (!known.includes(name.toLowerCase())) return true;
    actions.push({ name: name.toLowerCase(), argument: argument.trim() });
    return false;
  });
  return { content: actions.length === 0 ? text : kept.join('\n').trim(), actions };
}

/** A Markdown block other than a paragraph, given by the line that ends it. */
interface Block {
  isEnd: (line: string) => boolean;
  /** True if the line that ends the block is the first line after it. */
  endsBefore?: true;
}

const frontMatter = /^(---|\+\+\+|;;;)[ \t]*\w*[ \t]*$/;
const fence = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;

/**
 * Returns the indexes of lines in top-level paragraphs. Excludes code, HTML, quotes and front
 * matter.
 */
function linesOfParagraphs(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  let isQuoted = false;
  let block: Block | null = frontMatterOf(lines);
  for (const [index, line] of lines.entries()) {
    if (/^>>>[ \t]*$/.test(line) && (isQuoted || block === null)) {
      isQuoted = !isQuoted;
      block = null;
    } else if (block !== null) {
      if (!block.isEnd(line) || index === 0) continue;
      if (block.endsBefore === true && !isQuoted) found.add(index);
      block = null;
    } else {
      block = blockThatBegins(line);
      if (block === null && !isQuoted) found.add(index);
    }
  }
  return found;
}

function frontMatterOf([first = '', ...rest]: readonly string[]): Block | null {
  const [, mark] = frontMatter.exec(first) ?? [];
  const isEnd = (line: string) => line.trimEnd() === mark;
  return mark !== undefined && rest.some(isEnd) ? { isEnd } : null;
}

function blockThatBegins(line: string): Block | null {
  const [, ticks, tildes] = fence.exec(line) ?? [];
  const opened = ticks ?? tildes;
  if (opened !== undefined) {
    const closed = new RegExp(`^ {0,3}${opened[0]}{${opened.length},}[ \\t]*$`);
    return { isEnd: (later) => closed.test(later) };
  }
  if (/^ {0,3}<!--/.test(line)) {
    return line.includes('-->')
      ? { isEnd: () => true, endsBefore: true }
      : { isEnd: (later) => later.includes('-->') };
  }
  if (/^ {0,3}<\/?(?:details|div|p|pre|summary|table|ul)[\s/>]/i.test(line)) {
    return { isEnd: (later) => later.trim() === '', endsBefore: true };
  }
  return null;
}
