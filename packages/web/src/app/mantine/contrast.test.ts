import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TONES, toneTokens } from '../../theme/tones.ts';
import { contrastRatio, parseHex, tokensOf } from './testing/contrast.ts';
import { toneColors } from './variant-colors.ts';

const css = readFileSync(new URL('../../theme/tokens.css', import.meta.url), 'utf8');

/** All backgrounds on which text may appear. */
const SURFACES = ['bg', 'surface-1', 'surface-2', 'surface-3', 'field', 'row-selected'];
const SEMANTIC = ['success', 'warning', 'danger', 'info', 'neutral'];

/** Text and background pairs; minimum contrast 4.5 (WCAG 1.4.3). */
const TEXT_PAIRS: [text: string, ground: string][] = [
  ...['text', 'text-2', 'text-3', 'accent-text'].flatMap((text) => on(text, SURFACES)),
  ...SEMANTIC.flatMap((tone) =>
    on(`${tone}-fg`, [`${tone}-bg`, 'bg', 'surface-1', 'surface-2', 'row-selected']),
  ),
  // Notices have neutral text on a tinted background.
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

/**
 * Pairs of a shape and its background: control borders, focus ring, icons and data. The minimum
 * contrast is 3 (WCAG 1.4.11).
 */
const SHAPE_PAIRS: [shape: string, ground: string][] = [
  ...on('border-control', ['bg', 'surface-1', 'surface-2', 'field']),
  ...on('focus', SURFACES),
  ...on('accent', ['bg', 'surface-1', 'row-selected']),
  ...SEMANTIC.flatMap((tone) => on(`${tone}-mark`, ['bg', 'surface-1', 'surface-2', 'row-selected'])),
  ...on('data-1', ['bg', 'surface-1', 'surface-2', 'row-selected']),
  ...on('mark-line', ['surface-1']),
  ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap((number) => on(`map-${number}`, ['bg', 'surface-1'])),
  // The main heading of the landing page counts as large text.
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

test('computes the WCAG ratio: 21 for black on white, 4.48 for #777777 on white', () => {
  expect(contrastRatio([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  expect(contrastRatio([0x77, 0x77, 0x77], [255, 255, 255])).toBeCloseTo(4.48, 2);
});

describe.each(['.dark', '.light'])('in the %s scheme', (selector) => {
  const tokens = tokensOf(css, selector);

  test.each(TEXT_PAIRS)('--%s on --%s has a contrast of at least 4.5', (text, ground) => {
    expect(ratioOf(tokens, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(SHAPE_PAIRS)('--%s on --%s has a contrast of at least 3', (shape, ground) => {
    expect(ratioOf(tokens, shape, ground)).toBeGreaterThanOrEqual(3);
  });

  test('checks every color pair of component variants', () => {
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

  test('defines the tokens of every tone', () => {
    for (const tone of TONES) {
      for (const value of Object.values(toneTokens(tone))) {
        expect(tokens.has(value.slice('var(--'.length, -1))).toBe(true);
      }
    }
  });
});
