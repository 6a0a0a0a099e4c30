import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AdfDocument, type AdfNode, adfToMarkdown, markdownToAdf, mergeIntoAdf } from './adf.ts';
import { readMarkdown } from './read-markdown.ts';

const doc = (...content: AdfNode[]): AdfDocument => ({ type: 'doc', version: 1, content });
const p = (...content: (AdfNode | string)[]): AdfNode => ({
  type: 'paragraph',
  content: content.map((node) => (typeof node === 'string' ? { type: 'text', text: node } : node)),
});
const marked = (text: string, ...marks: string[]): AdfNode => {
  return { type: 'text', text, marks: marks.map((type) => ({ type })) };
};
const mention: AdfNode = { type: 'mention', attrs: { id: '5b10ac', text: '@Ada Lovelace', accessLevel: '' } };
const list = (type: string, ...items: AdfNode[][]): AdfNode => {
  return { type, content: items.map((content) => ({ type: 'listItem', content })) };
};
const cell = (type: string, ...content: AdfNode[]): AdfNode => ({ type, attrs: {}, content });

const everything = doc(
  { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Steps' }] },
  p('Press ', marked('Save', 'strong'), ' as ', mention, ' did', { type: 'hardBreak' }, 'twice.'),
  list('bulletList', [p('one'), list('orderedList', [p('two')])], [p('three')]),
  list('bulletList', [p('another list')]),
  { type: 'codeBlock', attrs: { language: 'java' }, content: [{ type: 'text', text: 'a();\n\n```\nb();' }] },
  { type: 'panel', attrs: { panelType: 'warning' }, content: [p('mind the gap'), p('twice')] },
  {
    type: 'expand',
    attrs: { title: 'Log' },
    content: [{ type: 'codeBlock', content: [{ type: 'text', text: 'x' }] }],
  },
  {
    type: 'table',
    attrs: { layout: 'wide', localId: 'abc' },
    content: [
      { type: 'tableRow', content: [cell('tableHeader', p('a|b')), cell('tableHeader', p('c'))] },
      { type: 'tableRow', content: [cell('tableCell', p('1'), p('2')), cell('tableCell', p(mention))] },
    ],
  },
  { type: 'mediaSingle', content: [{ type: 'media', attrs: { type: 'file', id: 'f-1', alt: 'shot.png' } }] },
  {
    type: 'taskList',
    attrs: { localId: 't' },
    content: [{ type: 'taskItem', attrs: { state: 'DONE' }, content: [{ type: 'text', text: 'done' }] }],
  },
  { type: 'extension', attrs: { extensionType: 'com.acme', extensionKey: 'chart' } },
  { type: 'somethingNew', attrs: { a: 1 }, content: [p('inside')] },
  p(),
  p({ type: 'status', attrs: { text: 'IN REVIEW', color: 'blue' } }, ' since ', {
    type: 'date',
    attrs: { timestamp: '1714521600000' },
  }),
  { type: 'rule' },
);

describe('a document converted to Markdown', () => {
  test('represents each node', () => {
    expect(adfToMarkdown(everything)).toBe(
      [
        '## Steps',
        'Press **Save** as @Ada Lovelace did  \ntwice.',
        '- one\n\n  1. two\n- three',
        '* another list',
        '````java\na();\n\n```\nb();\n````',
        '> mind the gap\n>\n> twice',
        '**Log**',
        '```\nx\n```',
        '| a\\|b | c |\n| --- | --- |\n| 1<br>2 | @Ada Lovelace |',
        '![shot.png](attachment:f-1)',
        '- [x] done',
        'inside',
        'IN REVIEW since 2024-05-01',
        '___',
      ].join('\n\n'),
    );
  });

  test.each<[string, AdfDocument | null, string]>([
    ['no document', null, ''],
    ['an empty one', doc(), ''],
    ['an empty paragraph', doc(p()), ''],
    ['text without a paragraph', doc({ type: 'text', text: 'bare' }), 'bare'],
  ])('is that of %s', (_, document, markdown) => {
    expect(adfToMarkdown(document)).toBe(markdown);
  });

  test.each([
    'a_b_c 2*3*4 5 * 6',
    '# not a heading',
    '- not a list',
    '1. not a list',
    '12) neither',
    '> not a quote',
    '[x](y) ![x](y) [x]: y',
    '`code` ``` ~~~',
    '<b>html</b> &amp; &lt;',
    'C:\\dir\\*.txt \\',
    '--- === ___ ***',
    '| a | b |',
    '**bold** __bold__ ~~gone~~',
    'trailing #',
    '    indented',
    '=',
    '+ x',
    '-',
  ])('of a text that looks like Markdown is that text (%s)', (text) => {
    expect(markdownToAdf(adfToMarkdown(doc(p(text))))).toEqual(doc(p(text.trim())));
  });

  test('escapes little, so that names stay readable', () => {
    const text = 'call snake_case_name() in C:\\src, see <https://a.example/x_y> at 5 > 3 [maybe]';
    expect(adfToMarkdown(doc(p(text)))).toBe(text.replace('<', '\\<'));
  });

  test('has no invisible or broken links', () => {
    const href = 'https://a.example/x (1)?q=[a]';
    const node = { type: 'text', text: 'see [this]', marks: [{ type: 'link', attrs: { href } }] };
    expect(markdownToAdf(adfToMarkdown(doc(p(node))))).toEqual(doc(p(node)));
  });
});

describe('an edited document', () => {
  const markdown = adfToMarkdown(everything);
  const edit = (from: string, to: string) => mergeIntoAdf(everything, markdown.replace(from, to));

  test('without changes is identical', () => {
    expect(mergeIntoAdf(everything, markdown)).toBe(everything);
  });

  test.each([
    ['## Steps', '## Steps to reproduce', 0],
    ['- three', '- four', 2],
    ['inside', 'outside', 11],
    ['mind the gap', 'mind it', 5],
    ['| 1<br>2 |', '| 3 |', 7],
  ])('retains every node except the edited one (%s)', (from, to, index) => {
    const { content } = edit(from, to);
    expect(content).toHaveLength(everything.content.length);
    for (const [at, node] of content.entries()) {
      if (at === index) expect(node).not.toEqual(everything.content[at]);
      else expect(node).toBe(everything.content[at]);
    }
  });

  test('retains the mention in an edited paragraph', () => {
    const { content } = edit('twice.', 'three times.');
    expect(content[1]?.content).toContain(mention);
    expect(adfToMarkdown(doc(...content))).toContain('as @Ada Lovelace did  \nthree times.');
  });

  test('retains status, date and media of edited blocks', () => {
    const edited = edit('IN REVIEW since', 'IN REVIEW ever since').content[13];
    expect(edited?.content?.map(({ type }) => type)).toEqual(['status', 'text', 'date']);
    const media = mergeIntoAdf(everything, markdown.replace('![shot.png]', 'Look: ![shot.png]')).content[8];
    expect(media).toMatchObject({
      type: 'paragraph',
      content: [{}, { type: 'mediaInline', attrs: { id: 'f-1' } }],
    });
  });

  test('can be extended at both ends and loses what was removed', () => {
    const { content } = mergeIntoAdf(
      everything,
      `first\n\n${markdown.replace('* another list\n\n', '')}\n\nlast`,
    );
    expect(content[0]).toEqual(p('first'));
    expect(content.at(-1)).toEqual(p('last'));
    expect(content).not.toContain(everything.content[3]);
    expect(content.slice(1, -1)).toEqual(everything.content.filter((_, index) => index !== 3));
  });

  test('that becomes empty retains only invisible nodes', () => {
    expect(mergeIntoAdf(everything, '').content.map(({ type }) => type)).toEqual(['extension', 'paragraph']);
  });
});

const word = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.constantFrom(
    '*',
    '_',
    '**',
    '`',
    '#',
    '- ',
    '1. ',
    '> ',
    '[a](b)',
    '|',
    '~~',
    '<br>',
    '&amp;',
    '\\',
    '---',
    'ä',
    '👩‍👩‍👧',
  ),
);
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const mark = fc.constantFrom('strong', 'em', 'strike', 'code', 'underline');
const inline: fc.Arbitrary<AdfNode> = fc.oneof(
  { weight: 4, arbitrary: text.map((value) => ({ type: 'text', text: value })) },
  { weight: 2, arbitrary: fc.tuple(text, mark).map(([value, type]) => marked(value, type)) },
  { weight: 1, arbitrary: fc.constant<AdfNode>({ type: 'hardBreak' }) },
  {
    weight: 1,
    arbitrary: text.map((name): AdfNode => ({ type: 'mention', attrs: { id: name, text: `@${name}` } })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(text, fc.webUrl()).map(([value, href]): AdfNode => {
      return { type: 'text', text: value, marks: [{ type: 'link', attrs: { href } }] };
    }),
  },
);
const paragraph = fc.array(inline, { maxLength: 5 }).map((content) => p(...content));
const block: fc.Arbitrary<AdfNode> = fc.oneof(
  { weight: 4, arbitrary: paragraph },
  {
    weight: 1,
    arbitrary: fc
      .array(inline, { maxLength: 3 })
      .map((content): AdfNode => ({ type: 'heading', attrs: { level: 3 }, content })),
  },
  {
    weight: 1,
    arbitrary: fc
      .string()
      .map((code): AdfNode => ({ type: 'codeBlock', content: [{ type: 'text', text: code }] })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('bulletList', 'orderedList'),
        fc.array(fc.array(paragraph, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
      )
      .map(([type, items]) => list(type, ...items)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('panel', 'expand', 'unknown'), fc.array(paragraph, { maxLength: 2 }))
      .map(([type, content]): AdfNode => ({ type, attrs: { title: 'T' }, content })),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.array(paragraph, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 3 })
      .map(
        (rows): AdfNode => ({
          type: 'table',
          content: rows.map((cells) => ({
            type: 'tableRow',
            content: cells.map((content) => cell('tableCell', content)),
          })),
        }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<AdfNode>({ type: 'rule' }, { type: 'extension', attrs: { key: 'k' } }),
  },
);
const document = fc.array(block, { maxLength: 8 }).map((content) => doc(...content));

describe('for any document', () => {
  test('its Markdown is parsed into the blocks it was written from', () => {
    fc.assert(
      fc.property(document, (original) => {
        const markdown = adfToMarkdown(original);
        expect(adfToMarkdown(markdownToAdf(markdown))).toBe(markdown);
      }),
      { numRuns: 150 },
    );
  });

  test('an added block leaves all others unchanged', () => {
    fc.assert(
      fc.property(document, fc.nat(), (original, at) => {
        const sources = readMarkdown(adfToMarkdown(original)).map(({ source }) => source);
        const place = at % (sources.length + 1);
        const added = 'Added "between" two others';
        const edited = [...sources.slice(0, place), added, ...sources.slice(place)].join('\n\n');
        const { content } = mergeIntoAdf(original, edited);
        const whole = content.filter((node) => original.content.includes(node));
        // At most one original block may be rewritten: an expand or an unknown node, if the new
        // block was inserted into it.
        const lost = original.content.filter((node) => !whole.includes(node));
        expect(lost.filter(({ type }) => !['expand', 'unknown'].includes(type))).toEqual([]);
        expect(lost.length).toBeLessThanOrEqual(1);
        expect(content).toContainEqual(p(added));
      }),
      { numRuns: 150 },
    );
  });
});
