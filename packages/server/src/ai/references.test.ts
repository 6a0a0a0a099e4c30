import { describe, expect, test } from 'vitest';
import { plainReason } from './plain-text.ts';
import { hasUnknownReferences } from './references.ts';

const KNOWN = [
  'See [the page](https://docs.example/zones?a=1#b). Mail ada@docs.example or @ada, [~bob].',
  '<img src="//img.example/a.png"> www.docs.example/b R&amp;D, fixes #7',
];
const isOther = (text: string) => hasUnknownReferences([text], KNOWN);

describe('a new reference is found in', () => {
  test.each([
    'https://evil.example/login',
    'https://docs.example/zones/evil',
    'https://docs.example',
    'HtTpS://evil.example',
    'www.evil.example/login',
    '[x](//evil.example/a)',
    '[x](evil.example)',
    '[x]( <evil.example> )',
    '[x]: evil.example',
    '<a href=//evil.example>z</a>',
    "<img src = 'evil.png'>",
    'https:/\\evil.example',
    '\\\\evil.example',
    'https:///evil.example',
    'http:/evil.example',
    'https&#58;//docs.example/zones',
    'https&colon;&sol;&sol;evil&period;example',
    '&#x77;ww.evil.example',
    '[y](javascript:alert(1))',
    'mailto:eve@evil.example',
    'eve@evil.example',
    'Ask @admin.',
    '@everyone',
    '`@admin',
    '/@admin',
    '@acme/owners',
    '[~eve]',
    'Closes #1',
    'fixes: #2',
    'Resolves acme/app#3.',
    'closing issue #4',
    'implements GH-5',
    'fix https://docs.example/zones',
  ])('%s', (text) => {
    expect(isOther(`Before.\n${text}\nAfter.`)).toBe(true);
  });
});

describe('no new reference is found in', () => {
  test.each([
    'See https://docs.example/zones?a=1#b, **www.docs.example/b** and //img.example/a.png.',
    '[another name](https://docs.example/zones?a=1#b)',
    'Ask @Ada, [~bob] or ada@docs.example.',
    'Fixes #7, R&amp;D',
    'Not the same as acme/app#2, see #1.',
    'It was fixed in 4.2. // A comment, UTF-8 & more; 3/4 a@b C:\\Windows\\System32',
    '`git@host`, a closed door #1, and `x@1.2`',
  ])('%s', (text) => {
    expect(isOther(text)).toBe(false);
  });
});

test.each(['a-', 'a.', '[', '](', '[a]:\n', '[~', '/', '\\', 'fix ', '&#', '@', 'a@', 'https:.', '.', '! '])(
  'a long text of %j is processed in linear time, as text and as a reason',
  (part) => {
    const startMs = performance.now();
    isOther(`https://x${part.repeat(65_536 / part.length)}`);
    plainReason(part.repeat(200_000));
    expect(performance.now() - startMs).toBeLessThan(15_000);
  },
);
