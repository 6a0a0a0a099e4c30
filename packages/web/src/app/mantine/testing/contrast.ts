/** Red, green and blue components from 0 to 255. */
export type Rgb = readonly [number, number, number];

/**
 * Parses a color such as `#RRGGBB`. Returns null for any other value: gradients, `rgb()` with
 * alpha, and references.
 */
export function parseHex(text: string): Rgb | null {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim());
  if (match === null) return null;
  const [red, green, blue] = match.slice(1).map((part) => Number.parseInt(part, 16));
  return red === undefined || green === undefined || blue === undefined ? null : [red, green, blue];
}

/** Returns the relative luminance from 0 to 1, as WCAG 2.2 defines it for sRGB. */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Returns the contrast ratio of two colors from 1 to 21, as WCAG 2.2 defines it. The order of the
 * colors has no effect.
 */
export function contrastRatio(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * Returns the custom properties that a selector such as `.dark` sets. The keys are their names
 * without dashes.
 */
export function tokensOf(css: string, selector: string): Map<string, string> {
  const plain = css.replace(/\/\*.*?\*\//gs, '');
  const start = plain.indexOf(`${selector} {`);
  const block = start < 0 ? '' : plain.slice(start, plain.indexOf('}', start));
  return new Map(
    Array.from(block.matchAll(/--([\w-]+):\s*([^;]+);/g), ([, name = '', value = '']) => [name, value]),
  );
}
