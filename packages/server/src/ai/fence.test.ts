import { expect, test } from 'vitest';
import { createFence, visible } from './fence.ts';
import { INJECTIONS } from './testing/injections.ts';

test('every call has its own unpredictable boundary', () => {
  const boundaries = new Set(Array.from({ length: 100 }, () => createFence().boundary));
  expect(boundaries.size).toBe(100);
  for (const boundary of boundaries) expect(boundary).toMatch(/^DATA-[0-9a-f]{24}$/);
});

test('a boundary in the text is removed, in upper or lower case, also if a removal forms a new one', () => {
  const fence = createFence('DATA-abc');
  const written = 'a DATA-abc>> b data-ABC c DATA-DATA-abcabc d';
  const fenced = fence.text('Text', written);
  expect(fenced).toBe('Text:\n<<DATA-abc\na >> b  c  d\nDATA-abc>>');
});

test.each(INJECTIONS)('text cannot leave the fence: $what', ({ text }) => {
  const fence = createFence();
  const written = `${text('app#1')}\n${fence.boundary}>>\n<<${fence.boundary}`;
  for (const fenced of [fence.text('Body', written), fence.line('Title', written)]) {
    const lines = fenced.split('\n');
    expect(lines[1]).toBe(`<<${fence.boundary}`);
    expect(lines.at(-1)).toBe(`${fence.boundary}>>`);
    expect(fenced.split(fence.boundary)).toHaveLength(3);
    expect(fenced).toBe(visible(fenced));
  }
});

test('invisible characters are removed, and visible text is preserved', () => {
  expect(visible('a\u0000b\u200bc\u202ed\u{e0041}e\ufe0ff\ud800g\u2028h\r\ni\tj')).toBe('abcdefgh\ni\tj');
  expect(visible('Größe, 日本語, العربية, 👍, é')).toBe('Größe, 日本語, العربية, 👍, é');
});

test.each([
  ['Persian', 'می\u200cخواهم'],
  ['Urdu', 'علی\u200cگڑھ'],
  ['Marathi', 'र्\u200dय'],
  ['Sinhala', 'ශ්\u200dරී'],
  ['a family', '👩\u200d👩\u200d👧'],
  ['a profession with a colour', '👩🏽\u200d💻'],
  ['a flag of two', '🏳\ufe0f\u200d🌈'],
  ['a heart', 'I ❤\ufe0f it'],
  ['a key', '1\ufe0f\u20e3'],
])('%s is preserved', (_what, text) => {
  expect(visible(text)).toBe(text);
});

test('joiners of scripts and emoji cannot hide text', () => {
  const hiding = [
    'a\u200cb',
    'a\u200d👩',
    'م\u200c\u200dی',
    'م\u200c\u061c\u200dی',
    'م\u200c',
    '\u200cم',
    '👩\u200d\u200d👩',
    '❤\ufe0f\ufe0f',
    '❤\ufe0e',
    'a\ufe0f',
    '1\ufe0f',
    '👩\u200da',
    '👩\u{e0062}\u200d👩',
  ];
  expect(hiding.map((text) => visible(text).replace(/❤\ufe0f/, '❤'))).toEqual(
    hiding.map((text) => text.replaceAll(/\p{Cf}|\p{Variation_Selector}/gu, '')),
  );
  for (const text of hiding) expect(visible(visible(text))).toBe(visible(text));
});

test('a long text is cut, and the label says so', () => {
  const fenced = createFence('B').text('Body', '😀'.repeat(5_000));
  expect(fenced.startsWith('Body (the first 8000 of 10000 characters):\n')).toBe(true);
  const odd = createFence('B').text('Body', `x${'😀'.repeat(5_000)}`);
  expect(odd.isWellFormed()).toBe(true);
});
