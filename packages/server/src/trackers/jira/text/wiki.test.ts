import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';
import { markdownToWiki, mergeIntoWiki, wikiToMarkdown } from './wiki.ts';

describe('wiki markup as Markdown', () => {
  test.each([
    ['h2. Steps\n\nPress *Save* _twice_ -never- +now+', '## Steps\n\nPress **Save** _twice_ ~~never~~ now'],
    ['one\ntwo\\\\three', 'one  \ntwo  \nthree'],
    ['{code:java}\na();\n\nb();\n{code}', '```java\na();\n\nb();\n```'],
    ['{code:title=A.java|java}x{code}', '```java\nx\n```'],
    ['before {noformat}a\nb{noformat} after', 'before\n\n```\na\nb\n```\n\nafter'],
    ['{code}\nnever closed', '```\nnever closed\n```'],
    ['* a\n** b\n*# c\n* d\n# one\n# two', '- a\n\n  - b\n\n  1. c\n- d\n\n1. one\n2. two'],
    ['- a\n- b\nmore of b', '- a\n- b  \n  more of b'],
    [
      '||a||b||\n|1|x [t|https://a.example]|\n|2|y\nz|',
      '| a | b |\n| --- | --- |\n| 1 | x [t](https://a.example) |\n| 2 | y<br>z |',
    ],
    ['bq. said', '> said'],
    [
      '{quote}\nsaid\n\n{code}\nx\n{code}\n{quote}',
      '> said\n>\n> ```\n> x\n> ```'.replace('> ```\n> x', '> ```\n> x'),
    ],
    ['{panel:title=Note|borderStyle=solid}\ntext\n{panel}', '> **Note**\n>\n> text'],
    ['a\n----\nb', 'a\n\n___\n\nb'],
    [
      'see [docs|https://a.example/b] and [https://a.example] and [~ada] and [^log.txt]',
      'see [docs](https://a.example/b) and [https://a.example](https://a.example) and @ada and ![log.txt](attachment:log.txt)',
    ],
    ['!shot.png|thumbnail! wow!!! great!', '![shot.png](attachment:shot.png) wow!!! great!'],
    ['{{x_y}} and {color:red}red{color} \\*not bold\\*', '`x_y` and red \\*not bold\\*'],
    ['snake_case_name a-b-c 2*3*4 C:\\dir', 'snake_case_name a-b-c 2\\*3\\*4 C:\\dir'],
    ['{unknown:macro=1} stays', '{unknown:macro=1} stays'],
    ['', ''],
    ['  \n\r\n ', ''],
  ])('%j', (wiki, markdown) => {
    expect(wikiToMarkdown(wiki)).toBe(markdown);
  });
});

describe('an edited text', () => {
  const original =
    'h2. Steps\nPress {color:red}Save{color}, [~ada].\n* one\n* two\n\n\n{panel:title=Note}\nmind\n{panel}\n!shot.png|width=300!\n{expand}odd{expand}';
  const markdown = wikiToMarkdown(original);

  test('without changes is identical', () => {
    expect(mergeIntoWiki(original, markdown)).toBe(original);
  });

  test.each([
    ['## Steps', '## What to do', 'h2. Steps', 'h2. What to do\n'],
    ['- two', '- three', '* one\n* two', '* one\n* three'],
    [
      'mind',
      'mind the gap',
      '{panel:title=Note}\nmind\n{panel}\n',
      '{quote}\n*Note*\n\nmind the gap\n{quote}\n\n',
    ],
  ])('is unchanged except where it was edited (%s)', (from, to, was, is) => {
    const edited = mergeIntoWiki(original, markdown.replace(from, to));
    const loose = (text: string) => text.replace(/\n+/g, '\n');
    expect(loose(edited)).toBe(loose(original.replace(was, is)));
  });

  test('retains the mention of an edited line', () => {
    expect(mergeIntoWiki(original, markdown.replace('Press', 'Click'))).toContain('Click Save, [~ada].');
  });
});

const word = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[a-zA-Z0-9]{1,6}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '*a*',
      '_b_',
      '-c-',
      '[x|y]',
      '{code}',
      '|',
      '\\',
      'h1.',
      '#',
      '-',
      '!x.png!',
      'snake_case',
      '[~ada]',
      '&#42;',
      'C:\\*',
      '??',
      '{{x}}',
      'bq.',
      'é',
    ),
  },
);
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((list) => list.join(' '));
const block = fc.oneof(
  words.map((line) => line.replace(/[\\`*_{}[\]<>#+\-.!|~&]/g, '\\$&')),
  words.map((line) => `## ${line.replace(/[\\`*_{}[\]<>#+\-.!|~&]/g, '\\$&')}`),
  fc
    .array(words, { minLength: 1, maxLength: 3 })
    .map((items) => items.map((item) => `- ${item.replace(/[\\`*_{}[\]<>#+\-.!|~&]/g, '\\$&')}`).join('\n')),
  words.map((code) => `\`\`\`\n${code.replaceAll('{code}', '')}\n\`\`\``),
  words.map((line) => `> ${line.replace(/[\\`*_{}[\]<>#+\-.!|~&]/g, '\\$&')}`),
  fc
    .stringMatching(/^[a-z]{1,6}$/)
    .map((one) => `**${one}** and _${one}_ and [${one}](https://a.example/${one})`),
);

describe('for any text', () => {
  const asMarkdown = (text: string) => wikiToMarkdown(markdownToWiki(text));

  test('its Markdown survives a round trip through wiki markup', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
        const once = asMarkdown(blocks.join('\n\n'));
        expect(asMarkdown(once)).toBe(once);
        const said = (text: string) => readMarkdown(text).map((part) => part.block.type);
        expect(new Set(said(once))).toEqual(new Set(said(blocks.join('\n\n'))));
      }),
      { numRuns: 150 },
    );
  });

  test('an added block leaves all others as typed', () => {
    const wiki = fc.array(
      fc.oneof(
        words,
        words.map((line) => `h3. ${line}`),
        words.map((line) => `* ${line}\n** deeper`),
        words.map((line) => `{noformat}\n${line}\n{noformat}`),
      ),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(wiki, (blocks) => {
        const original = blocks.join('\n\n');
        const edited = mergeIntoWiki(original, `${wikiToMarkdown(original)}\n\nadded`);
        expect(edited).toBe(`${original}\n\nadded`);
      }),
      { numRuns: 150 },
    );
  });
});
