/** Content of an email: paragraphs of plain text and at most one link. */
export interface Letter {
  readonly subject: string;
  /** Paragraphs above the link. A paragraph may have several lines. */
  readonly opening: readonly string[];
  readonly link?: { readonly label: string; readonly url: string };
  /** Paragraphs below the link. */
  readonly closing?: readonly string[];
}

/** Renders an email as plain text and HTML. Escapes all text in the HTML. */
export function writeLetter({ subject, opening, link, closing = [] }: Letter): {
  subject: string;
  text: string;
  html: string;
} {
  const text = [...opening, ...(link === undefined ? [] : [link.url]), ...closing];
  const html = [
    ...opening.map(paragraph),
    ...(link === undefined
      ? []
      : [`<p style="${PARAGRAPH}"><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`]),
    ...closing.map(paragraph),
  ];
  return { subject, text: `${text.join('\n\n')}\n`, html: page(subject, html.join('\n')) };
}

const PARAGRAPH = 'margin:0 0 16px;white-space:pre-line';

function paragraph(text: string): string {
  return `<p style="${PARAGRAPH}">${escaped(text)}</p>`;
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
</head>
<body style="margin:24px auto;max-width:560px;padding:0 16px;font:16px/1.5 system-ui,sans-serif">
${body}
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
