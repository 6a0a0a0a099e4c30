import MarkdownIt, { type Token } from 'markdown-it';

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
const { rules } = markdown.renderer;
const { escapeHtml } = markdown.utils;

rules.heading_open = (tokens, index) => {
  const { tag, meta } = tokenAt(tokens, index);
  return `<div data-heading><${tag} id="${escapeHtml(String(meta?.id))}">`;
};
rules.heading_close = (tokens, index) => {
  const { tag, meta } = tokenAt(tokens, index);
  const [id, text] = [escapeHtml(String(meta?.id)), escapeHtml(String(meta?.text))];
  return `</${tag}><a href="#${id}" aria-label="Link to ${text}">#</a></div>\n`;
};
// Wide code blocks and tables scroll horizontally. `tabindex` lets keyboard users scroll them.
rules.fence = (tokens, index) => codeBlock(tokenAt(tokens, index));
rules.code_block = (tokens, index) => codeBlock(tokenAt(tokens, index));
rules.table_open = () => '<div data-scrolls role="group" aria-label="Table" tabindex="0"><table>\n';
rules.table_close = () => '</table></div>\n';

/**
 * Converts Markdown to HTML. Escapes HTML tags and removes links with unsafe schemes. Every heading
 * gets an id made of its words, and a link to itself.
 */
export function htmlOf(source: string): string {
  const env = {};
  const tokens = markdown.parse(source, env);
  nameHeadings(tokens);
  return markdown.renderer.render(tokens, markdown.options, env);
}

/** Returns the id of a heading: its words in lower case, joined by dashes. */
export function slugOf(heading: string): string {
  const words = heading.toLowerCase().match(/[\p{Letter}\p{Number}]+/gu) ?? [];
  return words.join('-') || 'section';
}

function nameHeadings(tokens: readonly Token[]): void {
  const taken = new Set<string>();
  tokens.forEach((open, index) => {
    const [inline, close] = [tokens[index + 1], tokens[index + 2]];
    if (open.type !== 'heading_open' || inline === undefined || close === undefined) return;
    const text = (inline.children ?? []).map(({ content }) => content).join('');
    const id = freeName(slugOf(text), taken);
    taken.add(id);
    open.meta = { id };
    close.meta = { id, text };
  });
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let name = wanted, copy = 2; ; copy += 1) {
    if (!taken.has(name)) return name;
    name = `${wanted}-${copy}`;
  }
}

/** Renders a code block with a placeholder for the copy button. */
function codeBlock({ content }: Token): string {
  return `<div data-code><pre tabindex="0"><code>${escapeHtml(content)}</code></pre><span data-copy></span></div>\n`;
}

function tokenAt(tokens: readonly Token[], index: number): Token {
  const token = tokens[index];
  if (token === undefined) throw new RangeError(`Token ${index} not found.`);
  return token;
}
