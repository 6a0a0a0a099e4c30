import { expect, test } from 'vitest';
import { htmlOf, slugOf } from './markdown.ts';

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['a tag with a handler', '<img src=x onerror=alert(1)>'],
  ['a tag within a line', 'so <b onclick="x()">bold</b> it is'],
  ['a script within a heading', '## <script>alert(1)</script>'],
  ['a script within code', '```\n<script>alert(1)</script>\n```'],
  ['a script within a table', '| a |\n|---|\n| <script>alert(1)</script> |'],
])('%s is escaped', (_, source) => {
  const html = htmlOf(source);
  expect(html).not.toMatch(/<(?:script|img|b)\b/);
  expect(html).toMatch(/&lt;(?:script|img|b)\b/);
});

test.each(['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,<script>1</script>', 'vbscript:x'])(
  'a link to %s is not rendered',
  (address) => {
    expect(htmlOf(`[here](${address})`)).not.toContain('<a ');
    expect(htmlOf(`![here](${address})`)).not.toContain('<img ');
  },
);

test('addresses and quotes are not converted', () => {
  expect(htmlOf('See https://winnow.example -- "so" (c)')).toBe(
    '<p>See https://winnow.example -- &quot;so&quot; (c)</p>\n',
  );
});

test('a heading has an id and a separate link to itself', () => {
  expect(htmlOf('## Connect `GitHub` & others')).toBe(
    '<div data-heading><h2 id="connect-github-others">Connect <code>GitHub</code> &amp; others</h2>' +
      '<a href="#connect-github-others" aria-label="Link to Connect GitHub &amp; others">#</a></div>\n',
  );
});

test('the ids of headings are unique', () => {
  const ids = [...htmlOf('# Keys\n\n## Keys\n\n## Keys 2\n\n## ?\n\n## Keys').matchAll(/ id="([^"]+)"/g)];
  expect(ids.map(([, id]) => id)).toEqual(['keys', 'keys-2', 'keys-2-2', 'section', 'keys-3']);
});

const CODE = '<div data-code><pre tabindex="0"><code>npm start\n</code></pre><span data-copy></span></div>\n';

test('tables and code blocks scroll horizontally', () => {
  expect(htmlOf('| a |\n|---|\n| b |')).toMatch(
    /^<div data-scrolls[^>]*tabindex="0"><table>(?:.|\n)*<\/table><\/div>\n$/,
  );
  expect(htmlOf('```sh\nnpm start\n```')).toBe(CODE);
  expect(htmlOf('    npm start')).toBe(CODE);
});

test('a slug consists of letters, digits and dashes', () => {
  expect(slugOf('What is written, and “undone”?')).toBe('what-is-written-and-undone');
  expect(slugOf('Größe 2')).toBe('größe-2');
});
