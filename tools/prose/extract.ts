import ts from 'typescript';

/** A comment, text or paragraph, with its place in a file. */
export interface ProsePiece {
  readonly kind: 'comment' | 'text' | 'markdown';
  /** First line of the piece, counted from 1. */
  readonly line: number;
  /** The prose without comment delimiters, one entry per source line. */
  readonly lines: readonly string[];
}

/**
 * Returns the prose of a source file. This includes comments, and string literals and JSX texts of
 * at least three words.
 */
export function proseOfSource(path: string, content: string): ProsePiece[] {
  const source = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, false, scriptKindOf(path));
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const pieces: ProsePiece[] = [];
  const seen = new Set<number>();
  const lineComments: { line: number; text: string }[] = [];

  const addComment = ({ pos, end, kind }: ts.CommentRange) => {
    if (seen.has(pos)) return;
    seen.add(pos);
    const raw = content.slice(pos, end);
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia)
      lineComments.push({ line: lineAt(pos), text: raw.replace(/^\/\/+ ?/, '') });
    else pieces.push({ kind: 'comment', line: lineAt(pos), lines: unwrapBlock(raw) });
  };
  const visit = (node: ts.Node) => {
    const tokens = node.getChildren(source);
    if (tokens.length === 0 && node.kind !== ts.SyntaxKind.JsxText) {
      ts.getLeadingCommentRanges(content, node.getFullStart())?.forEach(addComment);
      ts.getTrailingCommentRanges(content, node.getEnd())?.forEach(addComment);
    }
    const text = visibleText(node);
    if (text !== null)
      pieces.push({ kind: 'text', line: lineAt(node.getStart(source)), lines: text.split('\n') });
    if (isQuotedCode(node)) return;
    for (const token of tokens) visit(token);
  };
  visit(source);
  return [...pieces, ...joinLineComments(lineComments)].sort((a, b) => a.line - b.line);
}

/**
 * Returns the paragraphs and list items of a Markdown file, without code blocks, tables and link
 * addresses.
 */
export function proseOfMarkdown(content: string): ProsePiece[] {
  const pieces: ProsePiece[] = [];
  let paragraph: { line: number; lines: string[] } | null = null;
  let fence: string | null = null;
  const end = () => {
    if (paragraph !== null) pieces.push({ kind: 'markdown', ...paragraph });
    paragraph = null;
  };
  content.split('\n').forEach((line, index) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      return;
    }
    if (mark !== null) fence = mark;
    if (mark !== null || line.trim() === '' || /^\s*\|/.test(line)) {
      end();
      return;
    }
    if (/^\s*(?:[-*+]|\d+[.)]|#+) /.test(line)) end();
    paragraph ??= { line: index + 1, lines: [] };
    paragraph.lines.push(line);
  });
  end();
  return pieces;
}

/** Returns the comments of a stylesheet or of a shell script. */
export function proseOfOther(path: string, content: string): ProsePiece[] {
  if (path.endsWith('.css'))
    return [...content.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ 0: raw, index }) => ({
      kind: 'comment',
      line: content.slice(0, index).split('\n').length,
      lines: unwrapBlock(raw),
    }));
  const lines = content.split('\n').map((text, index) => ({ line: index + 1, text }));
  return joinLineComments(
    lines
      .filter(({ text }) => /^\s*# /.test(text))
      .map(({ line, text }) => ({ line, text: text.trim().slice(2) })),
  );
}

function scriptKindOf(path: string): ts.ScriptKind {
  if (path.endsWith('x')) return ts.ScriptKind.TSX;
  return /\.m?ts$/.test(path) ? ts.ScriptKind.TS : ts.ScriptKind.JS;
}

function unwrapBlock(raw: string): string[] {
  return raw
    .replace(/^\/\*+/, '')
    .replace(/\*+\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
}

function joinLineComments(comments: readonly { line: number; text: string }[]): ProsePiece[] {
  const pieces: { kind: 'comment'; line: number; lines: string[] }[] = [];
  for (const { line, text } of comments) {
    const last = pieces.at(-1);
    if (last !== undefined && last.line + last.lines.length === line) last.lines.push(text);
    else pieces.push({ kind: 'comment', line, lines: [text] });
  }
  return pieces;
}

/**
 * True for nodes whose strings are not prose: tagged templates (such as SQL), imports and literal
 * types.
 */
const isQuotedCode = (node: ts.Node): boolean =>
  ts.isTaggedTemplateExpression(node) || ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node);

/**
 * Returns the text of a string literal or JSX element that has at least three words. Returns null
 * for other nodes.
 */
function visibleText(node: ts.Node): string | null {
  const text =
    ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('X')
        : null;
  if (text === null) return null;
  return /\p{L}{2,}(?:[ \n]+[^\s]+){2,}/u.test(text.trim()) ? text.trim() : null;
}
