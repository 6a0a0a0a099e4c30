import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TONES, toneTokens } from '../../theme/tones.ts';
import { contrastRatio, parseHex, tokensOf } from './testing/contrast.ts';
import { toneColors } from './variant-colors.ts';

const css = readFileSync(new URL('../../theme/tokens.css', import.meta.url), 'utf8');

/** Everything a text may stand on. */
const SURFACES = ['bg', 'surface-1', 'surface-2', 'surface-3', 'field', 'row-selected'];
const SEMANTIC = ['success', 'warning', 'danger', 'info', 'neutral'];

/** Text and what it stands on: 4.5 (WCAG 1.4.3). */
const TEXT_PAIRS: [text: string, ground: string][] = [
  ...['text', 'text-2', 'text-3', 'accent-text'].flatMap((text) => on(text, SURFACES)),
  ...SEMANTIC.flatMap((tone) =>
    on(`${tone}-fg`, [`${tone}-bg`, 'bg', 'surface-1', 'surface-2', 'row-selected']),
  ),
  // Notices: our text on a tint.
  ...[...SEMANTIC, 'accent'].flatMap((tone) => [
    ...on('text', [`${tone}-bg`]),
    ...on('text-2', [`${tone}-bg`]),
  ]),
  ...on('accent-text', ['accent-bg', 'mark-bg']),
  ...on('accent-on', ['accent', 'accent-hover']),
  ...on('danger-fill-on', ['danger-fill', 'danger-fill-hover']),
  ...on('text', ['mark-bg', 'code-bg']),
  ['ins-fg', 'ins-bg'],
  ['del-fg', 'del-bg'],
  ...['code-fg', 'code-key', 'code-str', 'code-punct'].flatMap((text) => on(text, ['code-bg'])),
];

/** Borders of controls, the focus ring, marks and data against what they are seen on: 3 (WCAG 1.4.11). */
const SHAPE_PAIRS: [shape: string, ground: string][] = [
  ...on('border-control', ['bg', 'surface-1', 'surface-2', 'field']),
  ...on('focus', SURFACES),
  ...on('accent', ['bg', 'surface-1', 'row-selected']),
  ...SEMANTIC.flatMap((tone) => on(`${tone}-mark`, ['bg', 'surface-1', 'surface-2', 'row-selected'])),
  ...on('data-1', ['bg', 'surface-1', 'surface-2', 'row-selected']),
  ...on('mark-line', ['surface-1']),
  ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap((number) => on(`map-${number}`, ['bg', 'surface-1'])),
  // The hero's heading is large text.
  ...['hero-from', 'hero-mid', 'hero-to'].flatMap((shape) => on(shape, ['bg'])),
];

function on(text: string, grounds: string[]): [string, string][] {
  return grounds.map((ground) => [text, ground]);
}

function ratioOf(tokens: Map<string, string>, one: string, other: string): number {
  const [first, second] = [one, other].map((name) => parseHex(tokens.get(name) ?? ''));
  if (!first || !second) throw new Error(`tokens.css does not set --${first ? other : one} to a hex color.`);
  return contrastRatio(first, second);
}

test('the ratio is that of WCAG: 21 for black on white, 4.48 for #777777 on white, which just fails', () => {
  expect(contrastRatio([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  expect(contrastRatio([0x77, 0x77, 0x77], [255, 255, 255])).toBeCloseTo(4.48, 2);
});

describe.each(['.dark', '.light'])('in the %s scheme', (selector) => {
  const tokens = tokensOf(css, selector);

  test.each(TEXT_PAIRS)('--%s on --%s reads: 4.5 or more', (text, ground) => {
    expect(ratioOf(tokens, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(SHAPE_PAIRS)('--%s on --%s is seen: 3 or more', (shape, ground) => {
    expect(ratioOf(tokens, shape, ground)).toBeGreaterThanOrEqual(3);
  });

  test('every pair a component variant makes is one that is computed here', () => {
    const computed = new Set(TEXT_PAIRS.map(([text, ground]) => `${text} on ${ground}`));
    const name = (value: string) => /^var\(--([\w-]+)\)$/.exec(value)?.[1];
    for (const color of TONES) {
      for (const variant of ['filled', 'light', 'outline', 'subtle', 'transparent', 'default']) {
        const { background, hover, color: text, hoverColor } = toneColors(color, variant);
        for (const [ground, fore] of [
          [background, text],
          [hover, hoverColor ?? text],
        ] as const) {
          const shown = ground === 'transparent' ? 'surface-1' : name(ground);
          expect(computed).toContain(`${name(fore)} on ${shown}`);
        }
      }
    }
  });

  test('every tone has its tokens', () => {
    for (const tone of TONES) {
      for (const value of Object.values(toneTokens(tone))) {
        expect(tokens.has(value.slice('var(--'.length, -1))).toBe(true);
      }
    }
  });
});
