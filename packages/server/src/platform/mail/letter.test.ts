import { expect, test } from 'vitest';
import { writeLetter } from './letter.ts';

const MARKUP = `<script>alert("1")</script> & 'that'`;

test('escapes all text of an email', () => {
  const url = `https://winnow.example.org/?a=1&b="><img src=x>`;
  const { subject, text, html } = writeLetter({
    subject: MARKUP,
    opening: [MARKUP],
    link: { label: MARKUP, url },
    closing: [MARKUP],
  });
  expect(subject).toBe(MARKUP);
  expect(text).toBe(`${MARKUP}\n\n${url}\n\n${MARKUP}\n`);
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain('href="https://winnow.example.org/?a=1&amp;b=&quot;&gt;&lt;img src=x&gt;"');
  expect(
    html.match(/&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt; &amp; &#39;that&#39;/g),
  ).toHaveLength(4);
});

test('omits the link if there is none', () => {
  const { text, html } = writeLetter({ subject: 'Hello', opening: ['One\nTwo', 'Three'] });
  expect(text).toBe('One\nTwo\n\nThree\n');
  expect(html).not.toContain('<a');
});
