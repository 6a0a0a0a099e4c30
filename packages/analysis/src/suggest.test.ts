import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SuggestedIssue, suggestDeconflict, suggestMerge } from './suggest.ts';

const SMALL_WORDS = new Set(['the', 'a', 'is', 'to', 'in', 'of', 'on', 'and', 'with']);
const options = {
  idf: (term: string) => (SMALL_WORDS.has(term) ? 0 : 5),
  longestTitle: 255,
  longestDescription: 65_536,
};

function issue(number: number, body: string, title = 'Sync stalls'): SuggestedIssue {
  return { key: `app#${number}`, mention: `app#${number}`, title, body };
}

function merged(first: string, second: string, more: Partial<typeof options> = {}) {
  return suggestMerge(issue(1, first), issue(2, second), { ...options, ...more });
}

/** Generates parts of issues, each with an optional heading. All parts are different. */
const statement = fc
  .tuple(fc.constantFrom('The upload', 'The tray icon', 'Sharing', 'The log'), fc.nat(60))
  .map(
    ([what, number]) =>
      `${what} stops in version 4.2.${number} of the client after https://a.example/${number}.`,
  );
const code = fc.nat(20).map((number) => `\`\`\`sh\nskua --retry ${number}\n\n# Steps\n- x\n\`\`\``);
const trace = fc
  .nat(20)
  .map((number) => `java.io.IOException: disk ${number}\n\tat a.b.C.d(C.java:${number})\n\t... 23 more`);
const table = fc.nat(20).map((number) => `| file | size |\n|---|---|\n| a${number} | ${number} kB |`);
const bullets = fc
  .array(statement, { minLength: 1, maxLength: 3 })
  .map((items) => items.map((item) => `- ${item}`).join('\n'));
const numbered = fc
  .array(statement, { minLength: 1, maxLength: 4 })
  .map((items) => items.map((item, index) => `${index + 1}. ${item}`).join('\n'));
const prose = fc.array(statement, { minLength: 1, maxLength: 3 }).map((sentences) => sentences.join(' '));
const chinese = fc.nat(9).map((number) => `第${number}次同步之后上传停止并且没有任何提示。`);
const part = fc.oneof(prose, bullets, numbered, code, trace, table, chinese);
const heading = fc.constantFrom(
  '### Steps to reproduce',
  '## Expected',
  '**Environment:**',
  '# Impact on us',
  'h',
);
const section = fc
  .tuple(heading, fc.array(part, { maxLength: 3 }))
  .map(([mark, parts]) => (mark === 'h' ? parts : [mark, ...parts]));
const body = fc
  .tuple(fc.array(section, { maxLength: 4 }), fc.constantFrom('\n\n', '\r\n\r\n'))
  .map(([sections, gap]) => ({ parts: sections.flat(), text: sections.flat().join(gap) }));

/**
 * Returns the statements that must be preserved. Sentences and list items are separate statements;
 * code, stack traces and tables are whole ones.
 */
function statementsIn(parts: readonly string[]): string[] {
  return parts.flatMap((text) => {
    if (/^(?:```|java|\|)/.test(text)) return [text];
    if (/^(?:#|\*\*)/.test(text)) return [];
    return text.split(/\n|(?<=\.) /).map((line) => line.replace(/^(?:- |\d+\. )/, ''));
  });
}

describe('merging', () => {
  test('preserves the first text line by line, and every statement of the second', () => {
    fc.assert(
      fc.property(body, body, (first, second) => {
        const { description } = merged(first.text, second.text);
        const lines = description.split('\n');
        let at = 0;
        const own = first.text === '' ? [] : first.text.replaceAll('\r\n', '\n').split('\n');
        for (const line of own) {
          at = lines.indexOf(line, at) + 1;
          expect(at, `“${line}” stands where it stood`).toBeGreaterThan(0);
        }
        for (const said of statementsIn(second.parts)) expect(description).toContain(said);
      }),
      { numRuns: 300 },
    );
  });

  test('reports the source of each line, and the source contains the words of the line', () => {
    fc.assert(
      fc.property(body, body, (first, second) => {
        const { description, sources } = merged(first.text, second.text);
        const lines = description === '' ? [] : description.split('\n');
        expect(sources).toHaveLength(lines.length);
        for (const [index, line] of lines.entries()) {
          const source = sources[index];
          if (source === 'issue1' || source === 'both') expect(first.text).toContain(line);
          const words = source === 'issue2' ? line.split(/\s+/) : [];
          for (const word of words) expect(second.text).toContain(word);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('returns a text unchanged if it is merged with itself, and is idempotent', () => {
    fc.assert(
      fc.property(body, body, ({ text }, other) => {
        const plain = text.replaceAll('\r\n', '\n');
        const itself = merged(text, text);
        expect(itself.description).toBe(plain);
        expect(itself.sources.every((source) => source === 'both')).toBe(true);
        const once = merged(text, other.text);
        expect(merged(text, other.text)).toEqual(once);
        expect(merged(once.description, other.text).description).toBe(once.description);
      }),
      { numRuns: 300 },
    );
  });

  test('accepts any text, and returns it unchanged if merged with itself or with an empty text', () => {
    const odd = fc
      .array(
        fc.constantFrom(
          '```',
          '~~~',
          '<!--',
          '-->',
          '<details>',
          '</details>',
          '# A',
          '- b',
          '1. c',
          '    d',
          '',
          '| e |',
          '> f',
          'G. H! 「い。',
          '==',
        ),
        { maxLength: 30 },
      )
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 200 })), odd, (text, other) => {
        const plain = text.replaceAll('\r\n', '\n');
        expect(merged(text, text).description).toBe(plain);
        expect(merged(text, '').description).toBe(plain);
        const { description, sources } = merged(text, other);
        expect(sources).toHaveLength(description === '' ? 0 : description.split('\n').length);
      }),
      { numRuns: 500 },
    );
  });

  test('adds each part under the same heading of the first text, or under a new heading', () => {
    const first = '### What happens\nThe upload of a folder stops at 99 %.\n\n### Version\n4.2.0, Windows 11';
    const second =
      '### Describe the bug\nThe upload of a folder stops at 99 %. The log repeats `ERR_MANIFEST_TIMEOUT`.\n\n### Workaround\nSplit the folder in two.\n\n### Environment\n4.2.1, Ubuntu 24.04';
    const { description, sources, explanation } = merged(first, second);
    expect(description).toBe(
      '### What happens\nThe upload of a folder stops at 99 %.\n\nThe log repeats `ERR_MANIFEST_TIMEOUT`.\n\n### Workaround\nSplit the folder in two.\n\n### Version\n4.2.0, Windows 11\n\n4.2.1, Ubuntu 24.04',
    );
    expect(sources).toEqual([
      'both',
      'both',
      'new',
      'issue2',
      'new',
      'issue2',
      'issue2',
      'both',
      'both',
      'issue1',
      'new',
      'issue2',
    ]);
    expect(explanation).toBe(
      'Both titles are the same. 3 parts of app#2 are added. Text that both issues contain appears once.',
    );
  });

  test('keeps the steps of both texts as two lists, and labels the second list', () => {
    const { description } = merged('1. Open it\n2. Save it now', '1. Open another one\n2. Save it now');
    expect(description).toBe(
      '1. Open it\n2. Save it now\n\nIn app#2:\n\n1. Open another one\n2. Save it now',
    );
  });

  test('preserves equal words under different headings', () => {
    const same = 'The upload finishes without an error';
    expect(merged(`### Expected\n${same}`, `### What happens\n${same}`).description).toBe(
      `### What happens\n${same}\n\n### Expected\n${same}`,
    );
  });

  test('does not treat equal short answers to different questions as repetitions', () => {
    expect(merged('Is it new?\nNo', 'Can you reproduce it with a new account?\nNo').description).toBe(
      'Is it new?\nNo\n\nCan you reproduce it with a new account?\nNo',
    );
  });

  test.each([
    ['code', 'It says\n```\nerror', '```'],
    ['a comment', 'It says\n<!-- to be filled in', '-->'],
    ['a folded part', '<details>\n<summary>Log</summary>', '</details>'],
    ['code in a list', '- run\n  ```\n  x', '```'],
  ])('%s without an end is closed before text is added', (_what, open, end) => {
    const { description } = merged(open, 'It also happens after a restart.');
    expect(description).toBe(`${open}\n${end}\n\nIt also happens after a restart.`);
  });

  test('treats everything inside a code block as code', () => {
    const code = '```\n```js\nThe files are lost for ever.\n```';
    expect(merged('The files are lost for ever.', code).description).toBe(
      `The files are lost for ever.\n\n${code}`,
    );
  });

  test('replaces an empty form field by the answer of the other issue', () => {
    expect(merged('### Logs\n\n_No response_', '### Log output\n\nupload: 410 Gone').description).toBe(
      '### Logs\n\nupload: 410 Gone',
    );
    expect(merged('### Logs\n\nupload: 410 Gone', '### Logs\n\n_No response_').description).toBe(
      '### Logs\n\nupload: 410 Gone',
    );
  });

  test('never exceeds the limit, and reports how many parts were left out', () => {
    const paragraphs = (word: string, count: number) =>
      Array.from({ length: count }, (_, index) => `The ${word} number ${index} is lost for ever.`).join(
        '\n\n',
      );
    const { description, sources, explanation } = merged(paragraphs('file', 20), paragraphs('folder', 40), {
      longestDescription: 1_500,
    });
    expect(description.length).toBeLessThanOrEqual(1_500);
    expect(description.length).toBeGreaterThan(1_400);
    expect(sources).toHaveLength(description.split('\n').length);
    expect(explanation).toMatch(/\d+ parts of app#2 did not fit and remain only there\./);
  });

  test('leaves a text that is already too long unchanged', () => {
    const long = 'x'.repeat(70_000);
    expect(merged(long, 'The upload stops.').description).toBe(long);
  });

  test.each([
    [
      'the title that says what the other issue says, too',
      'Sync stops at 99 %',
      'HELP please ASAP',
      'Sync stops at 99 %',
    ],
    [
      'the longer one of two that say the same',
      'Sync stops',
      'Sync stops at 99 % with many files',
      'Sync stops at 99 % with many files',
    ],
    ['the first one of two that say as much', 'Sync stops', 'Stops sync', 'Sync stops'],
    ['one that fits', 'x '.repeat(200), 'Sync stops', 'Sync stops'],
  ])('takes %s', (_which, one, other, taken) => {
    const second = issue(2, 'At 99 % the sync stops.', other);
    expect(suggestMerge(issue(1, 'It stops.', one), second, options).title).toBe(taken);
  });

  test.each([
    ['empty lines', 'a\n\n'],
    ['fences', '```\n'],
    ['pairs of fences', '```\n```\n'],
    ['headings', '# a\n'],
    ['distinct headings', (index: number) => `# a${index}\n`],
    ['items', '- a\n'],
    ['numbers', '1. a\n\nb\n\n'],
    ['comments', '<!--'],
    ['folds', '<details>\n'],
    ['quotes among prose', 'a\n> b\n'],
    ['ends of sentences', '. A'],
    ['marks', '!'],
    ['brackets', '(a. A'],
    ['one word', 'x'],
    ['spaces', ' '],
    ['sentences', (index: number) => `The upload number ${index} is lost for ever. `],
    ['frames', '\tat a.b.C.d(C.java:1)\n'],
    ['errors', 'Error: x\n'],
    ['Chinese', '上传。'],
  ])('64 kB of %s take far less than a second', (_what, unit) => {
    const text = Array.from({ length: 70_000 }, (_, index) => (typeof unit === 'string' ? unit : unit(index)))
      .join('')
      .slice(0, 65_000);
    const began = process.threadCpuUsage();
    merged(text, `${text.slice(1, 32_000)} other`);
    merged('', text);
    expect(process.threadCpuUsage(began).user).toBeLessThan(1_500_000);
  });
});

describe('deconflicting', () => {
  const suggest = (first: SuggestedIssue, second: SuggestedIssue) =>
    suggestDeconflict(first, second, options);

  test('adds names from the description to each title, preferring kinds that both issues have', () => {
    const given = suggest(
      issue(1, 'The upload stops on Windows 11 with ERR_MANIFEST_TIMEOUT. It is version 4.2.0.'),
      issue(2, 'The upload stops on Ubuntu 24.04. It is version 4.2.1.'),
    );
    expect(given.title1).toBe('Sync stalls (Windows 11, 4.2.0)');
    expect(given.title2).toBe('Sync stalls (Ubuntu 24.04, 4.2.1)');
    expect(given.description1).toBe(
      'The upload stops on Windows 11 with ERR_MANIFEST_TIMEOUT. It is version 4.2.0.\n\nNot the same as app#2, which does not name “Windows 11” or “4.2.0”.',
    );
    expect(given.description2).toBe(
      'The upload stops on Ubuntu 24.04. It is version 4.2.1.\n\nOnly this issue mentions “Ubuntu 24.04” and “4.2.1”; compare app#1.',
    );
    expect(given.explanation).toBe(
      'Only app#1 names “Windows 11” and “4.2.0”. Only app#2 names “Ubuntu 24.04” and “4.2.1”.',
    );
  });

  test('adds the main words of each description to two equal titles', () => {
    const given = suggest(
      issue(1, 'The laptop was asleep. After it wakes, the laptop stays offline.'),
      issue(2, 'The proxy asks for a password. With a proxy nothing moves.'),
    );
    expect(given.title1).toMatch(/^Sync stalls \(.*laptop.*\)$/);
    expect(given.title2).toMatch(/^Sync stalls \(.*proxy.*\)$/);
    expect(given.explanation).toMatch(/^Only the description of app#1 mentions .*laptop/);
  });

  test('does not change titles that already name different things', () => {
    const given = suggest(
      issue(1, 'On Windows 11.', 'Upgrade netty to 4.1.86'),
      issue(2, 'On Ubuntu 24.04.', 'Upgrade netty to 4.1.89'),
    );
    expect([given.title1, given.title2]).toEqual(['Upgrade netty to 4.1.86', 'Upgrade netty to 4.1.89']);
    expect(given.description2).toContain('Only this issue mentions “4.1.89”; compare app#1.');
  });

  test('does not use names that both issues contain', () => {
    const given = suggest(issue(1, 'On Windows 11 with 4.2.0.'), issue(2, 'With 4.2.1 on windows 11.'));
    expect([given.title1, given.title2]).toEqual(['Sync stalls (4.2.0)', 'Sync stalls (4.2.1)']);
  });

  test('does not change a distinguishing title, even if its description contains more names', () => {
    const given = suggest(
      issue(1, 'In Chrome 120 on Windows 11.', 'Rename fails'),
      issue(2, 'In Firefox 126 on Linux.', 'Rename fails (Firefox)'),
    );
    expect([given.title1, given.title2]).toEqual([
      'Rename fails (Windows 11, Chrome 120)',
      'Rename fails (Firefox)',
    ]);
  });

  test('changes nothing and says so if the texts contain no distinguishing names', () => {
    const [one, other] = [
      issue(1, 'Most links stay open for years.', 'Links should expire after 30 days by default'),
      issue(2, 'If a default MUST be, then as a setting.', 'Links must never expire unless I set a date'),
    ];
    expect(suggest(one, other)).toEqual({
      title1: one.title,
      description1: one.body,
      title2: other.title,
      description2: other.body,
      explanation:
        'Nothing was found that only app#1 has. Nothing was found that only app#2 has. No change is suggested: it would not make the two issues easier to tell apart.',
    });
  });

  test.each([
    ['in another case', 'Fails in WebDAV', 'It is the webdav client.'],
    ['as a part of a longer word', 'Fails in WebDAV', 'See `MyWebDavClient.open`.'],
    ['with marks between its parts', 'Fails on Windows 11', 'It is a windows-11 machine.'],
    ['in another number', 'Scanned PDFs fail', 'A pdf is shown sideways.'],
    [
      'where it is quoted as an error',
      'TypeError: no etag',
      '```\nUncaught TypeError: x\n    at a.b (c.ts:1)\n```',
    ],
    ['at the end of a long text', 'Fails in WebDAV', `${'x '.repeat(30_000)}webdav`],
    ['as an everyday word', 'Links MUST stay, NOT expire', 'Hello.'],
    ['in a title all in capitals', 'APP LOSES DATA', 'Hello.'],
    ['as the opening of a sentence', 'Edge cases are lost', 'Hello.'],
  ])('a name that occurs in the other issue does not distinguish the issues: %s', (_where, title, body) => {
    const given = suggest(issue(1, '', title), issue(2, body, 'Other'));
    expect(given.explanation).toContain('Nothing was found that only app#1 has.');
  });

  test('never uses a name that the other issue contains in any spelling', () => {
    const word = fc.constantFrom(
      'TypeError:',
      'typeerrors',
      'Firefox',
      'firefox 126',
      'Windows 11',
      'windows',
      'PDFs',
      'pdf',
      '4.2.0',
      'v4.2.0-beta',
      'skua_engine',
      'SkuaEngine',
      'must',
      'MUST',
      'unless',
      'SAML',
      'saml2',
      'ERR_BUSY',
      'err-busy',
      'upload',
      '```\n',
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
    );
    let told = 0;
    fc.assert(
      fc.property(text, text, text, text, (title1, body1, title2, body2) => {
        const [one, other] = [issue(1, body1, title1), issue(2, body2, title2)];
        const { explanation, ...given } = suggest(one, other);
        const added = (after: string, before: string) =>
          after === before ? '' : after.slice(before.trimEnd().length);
        const ofFirst = [added(given.description1, body1), explanation.split('Only app#2')[0] ?? ''];
        const ofSecond = [added(given.description2, body2), explanation.split('Only app#2')[1] ?? ''];
        for (const [lines, { title, body }] of [
          [ofFirst, other],
          [ofSecond, one],
        ] as const) {
          for (const [, name = ''] of lines.join('\n').matchAll(/“([^”]*)”/g)) {
            told += 1;
            expect(`${title}\n${body}`.toLowerCase()).not.toContain(name.toLowerCase());
            expect(name).not.toMatch(/^(?:must|unless|upload)$/i);
          }
        }
      }),
      { numRuns: 1000 },
    );
    expect(told).toBeGreaterThan(100);
  });

  test('closes open code or comments before the added line, and adds no line if the link already exists', () => {
    const given = suggest(
      issue(1, '```\nlog\nUbuntu 24.04, ERR_BUSY'),
      issue(2, 'See app#1. On Windows 11.'),
    );
    expect(given.description1).toMatch(/ERR_BUSY\n```\n\nNot the same as app#2/);
    expect(given.description2).toBe('See app#1. On Windows 11.');
  });

  test('preserves every text, adds only words of the issues, and never exceeds the limit', () => {
    fc.assert(
      fc.property(body, body, fc.string({ maxLength: 255 }), (first, second, title) => {
        const [one, other] = [issue(1, first.text, title), issue(2, second.text, title)];
        const given = suggest(one, other);
        expect(given.description1.startsWith(first.text.trimEnd())).toBe(true);
        expect(given.title1.startsWith(title)).toBe(true);
        expect(given.title1.length).toBeLessThanOrEqual(255);
        const added = given.title1.slice(title.length).match(/[\w.]+/g) ?? [];
        for (const word of added) expect(first.text).toContain(word);
        expect(suggest(one, other)).toEqual(given);
      }),
    );
    const long = issue(1, 'x'.repeat(65_500));
    expect(suggest(long, issue(2, '')).description1).toBe(long.body);
  });
});
