import MarkdownIt, { type Token } from 'markdown-it';

// Renderer configured like issue trackers: a line break in the source becomes a line break in the
// output.
const markdown = new MarkdownIt('commonmark', { html: false, linkify: true }).enable([
  'table',
  'strikethrough',
  'linkify',
]);
// Bare URLs stay text and contain no markup, as on GitHub and GitLab. Trackers turn them into links
// themselves.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
markdown.normalizeLinkText = (text) => text;
markdown.validateLink = () => true;

/** Names of formatting marks by the HTML tag of a token. */
const MARKS: Record<string, string> = { strong: 'strong', em: 'em', s: 'strike' };

/**
 * Returns a description of how a Markdown text looks when it is rendered, with one line per block
 * and per piece of text. Texts that look the same have the same description.
 *
 * Ignores differences that are hardly visible: the nesting order of emphasis, titles of links and
 * images, column alignment, and spacing between list items.
 */
export function renderedForm(text: string): string {
  const lines: string[] = [];
  let depth = 0;
  for (const token of markdown.parse(text, {})) {
    if (token.nesting === -1) depth -= 1;
    const line = lineOf(token);
    if (line !== null) lines.push(...line.map((one) => ' '.repeat(depth) + one));
    if (token.nesting === 1) depth += 1;
  }
  return lines.join('\n');
}

function lineOf(token: Token): string[] | null {
  switch (token.type) {
    case 'inline':
      return inlineForm(token.children ?? []);
    case 'fence':
    case 'code_block':
      return [
        `code ${token.info.trim().split(/\s/, 1)[0] ?? ''} ${JSON.stringify(token.content.replace(/\n$/, ''))}`,
      ];
    case 'hr':
      return ['rule'];
    case 'ordered_list_open':
      return [`ol ${token.attrGet('start') ?? 1}`];
    case 'thead_open':
    case 'tbody_open':
      return null;
    default:
      return token.nesting === 1 ? [token.tag] : null;
  }
}

/**
 * Lists the texts of a line with their formatting. Ignores emphasis on spaces, because it is
 * invisible.
 */
function inlineForm(tokens: readonly Token[]): string[] {
  const runs: { marks: string; text: string }[] = [];
  const open: string[] = [];
  const add = (text: string, more: readonly string[] = []) => {
    for (const piece of text.split(/(\s+)/)) {
      if (piece === '') continue;
      const isSpace = piece.trim() === '' && more.length === 0;
      const marks = [...new Set([...open, ...more])].filter((mark) => !isSpace || mark.startsWith('link('));
      const name = marks.sort().join(' ');
      const last = runs.at(-1);
      if (last?.marks === name) last.text += piece;
      else runs.push({ marks: name, text: piece });
    }
  };
  for (const token of tokens) {
    const mark = MARKS[token.tag];
    if (mark !== undefined || token.tag === 'a') {
      if (token.markup === 'linkify') continue;
      if (token.nesting === 1) open.push(mark ?? `link(${token.attrGet('href') ?? ''})`);
      else open.pop();
    } else if (token.type === 'code_inline') add(token.content, ['code']);
    else if (token.type === 'image') add(imageForm(token), ['image']);
    else if (token.type === 'softbreak' || token.type === 'hardbreak') add('\n');
    else add(token.content.replace(/\s*\n\s*/g, ' '));
  }
  const texts = runs.map(({ marks, text }) => ({
    marks,
    text: text.replace(/[ \t]*\n\s*/g, '\n').replace(/[ \t]+/g, ' '),
  }));
  const [first, last] = [texts[0], texts.at(-1)];
  if (first !== undefined) first.text = first.text.trimStart();
  if (last !== undefined) last.text = last.text.trimEnd();
  return texts
    .filter(({ text }) => text !== '')
    .map(({ marks, text }) => `${marks}: ${JSON.stringify(text)}`);
}

function imageForm(token: Token): string {
  const alt = markdown.renderer.renderInlineAsText(token.children ?? [], markdown.options, {});
  return `image(${alt} ${token.attrGet('src') ?? ''})`;
}
