import fc, { type Arbitrary } from 'fast-check';

export interface DocumentOptions {
  /** If true, images may also occur within text. If false, each image is a separate paragraph. */
  imagesInText?: boolean;
  codeInBold?: boolean;
}

/** Words that contain characters with a meaning in Markdown or wiki markup. */
const TRICKY =
  '* _ - -- # | || ! ? ?? ~5 +1 ^ > 1. ... :) (x) (/) [ ] @ada [~ada] [x|y] {code} {quote} {panel} {color:red} {{x}} {*}a{*} h1. bq. ' +
  'snake_case a-b !x.png! &amp; &#42; é 👩‍👩‍👧 C:\\dir <b> $x^2$ https://a.example/g/-/i_s_/1 http://a.example/x_y_';
const FENCE = '````';
const MACRO_NAMES = ['`code`', '`quote`', '`panel`', '`noformat`', '`color:x`'];
const IN_WORDS = ['foo**bar**baz', 'foo*bar*', '~~foo~~bar', '*foo*bar', 'a`b`c'];
const CODE_LINES = [
  'a();',
  '',
  '  b',
  '{quote}',
  '* x',
  'h1. x',
  '{{x}}',
  '| a |',
  '```',
  '{noformat}',
  '- [ ] x',
];

/**
 * Generates random Markdown documents from all features that both of Jira's text formats support.
 */
export function markdownDocument(options: DocumentOptions): Arbitrary<string> {
  const inline = inlines(options);
  const line = fc.array(inline, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '));
  const paragraph = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
  const fence = fc
    .tuple(fc.constantFrom('', 'js', 'c++'), fc.array(fc.constantFrom(...CODE_LINES), { maxLength: 5 }))
    .map(([language, lines]) => [`${FENCE}${language}`, ...lines, FENCE].join('\n'));
  const flat = list(line, fc.oneof(paragraph, fence));
  const nested = list(line, flat);
  const quote = paragraph.map((text) => text.replace(/^/gm, '> '));
  const heading = plain.map((text) => `## ${text}`);
  const table = fc
    .array(fc.tuple(line, line), { minLength: 1, maxLength: 3 })
    .map((rows) => rows.map((cells) => `| ${cells.join(' | ')} |`))
    .map(([head, ...rows]) => [head, '| --- | --- |', ...rows].join('\n'));
  const image = fc.tuple(plain, fc.webUrl()).map(([alt, url]) => imageOf(alt, url));
  const block = fc.oneof(
    { weight: 3, arbitrary: paragraph },
    ...[flat, nested, list(line, nested), fence, heading, quote, table, image, fc.constant('---')],
  );
  return fc.array(block, { minLength: 1, maxLength: 3 }).map((blocks) => blocks.join('\n\n'));
}

const words = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.stringMatching(/^[a-zA-Z0-9]{1,6}$/) },
    { weight: 1, arbitrary: fc.constantFrom(...TRICKY.split(' ')) },
  ),
  { minLength: 1, maxLength: 5 },
);
const plain = words.map((list) => list.join(' ').replace(/[\\`*_{}[\]<>#+\-.!|~&()]/g, '\\$&'));

function inlines({ imagesInText, codeInBold }: DocumentOptions): Arbitrary<string> {
  const code = words.map((list) => `\`\` ${list.join(' ')} \`\``);
  return fc.oneof(
    { weight: 4, arbitrary: plain },
    code,
    ...['**', '_', '~~', '***'].map((sign) => plain.map((text) => `${sign}${text}${sign}`)),
    fc.tuple(plain, fc.webUrl()).map(([text, url]) => `[${text}](<${url}>)`),
    fc.constantFrom(...MACRO_NAMES, ...IN_WORDS),
    ...(imagesInText ? [fc.tuple(plain, fc.webUrl()).map(([alt, url]) => imageOf(alt, url))] : []),
    ...(codeInBold ? [code.map((text) => `**a ${text} b**`)] : []),
  );
}

function imageOf(alt: string, url: string): string {
  return `![${alt}](<${url.replace(/[|!]/g, '')}>)`;
}

function list(line: Arbitrary<string>, below: Arbitrary<string>): Arbitrary<string> {
  const box = fc.constantFrom('', '', '[ ] ', '[x] ');
  const item = fc.tuple(box, line, fc.option(below, { nil: null }));
  return fc
    .tuple(fc.constantFrom('- ', '1. '), fc.array(item, { minLength: 1, maxLength: 3 }))
    .map(([sign, items]) =>
      items
        .map(([boxText, text, rest]) => indented(sign, [boxText + text, rest ?? ''].join('\n\n').trimEnd()))
        .join('\n'),
    );
}

function indented(sign: string, text: string): string {
  const space = ' '.repeat(sign.length);
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? sign : line === '' ? '' : space) + line)
    .join('\n');
}
