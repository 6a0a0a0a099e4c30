import type { VariantColorResolverResult, VariantColorsResolver } from '@mantine/core';
import { isTone, type Tone, toneTokens } from '../../theme/tones.ts';

const NO_BORDER = '1px solid transparent';

function filled(tone: Tone): VariantColorResolverResult {
  if (tone === 'accent') {
    return {
      background: 'var(--accent)',
      hover: 'var(--accent-hover)',
      color: 'var(--accent-on)',
      border: NO_BORDER,
    };
  }
  if (tone === 'danger') {
    return {
      background: 'var(--danger-fill)',
      hover: 'var(--danger-fill-hover)',
      color: 'var(--danger-fill-on)',
      border: NO_BORDER,
    };
  }
  return tinted(tone);
}

function tinted(tone: Tone): VariantColorResolverResult {
  const { background, text, border } = toneTokens(tone);
  return { background, hover: background, color: text, border: `1px solid ${border}` };
}

function bare(tone: Tone, hover: string): VariantColorResolverResult {
  return {
    background: 'transparent',
    hover,
    color: toneTokens(tone).text,
    border: NO_BORDER,
    ...(tone === 'neutral' ? { hoverColor: 'var(--text)' } : {}),
  };
}

/**
 * Returns the colors of every variant of every Mantine component. All colors are design tokens, and
 * contrast.test.ts checks each pair.
 *
 * Only the tones `accent` and `danger` have solid backgrounds. Other tones have a tinted
 * background.
 */
export function toneColors(color: string | undefined, variant: string): VariantColorResolverResult {
  // Mantine uses the color `gray` for some controls.
  const tone = isTone(color) ? color : color === undefined ? 'accent' : 'neutral';
  switch (variant) {
    case 'filled':
      return filled(tone);
    case 'light':
      return tinted(tone);
    case 'outline':
      return {
        background: 'transparent',
        hover: 'var(--surface-2)',
        color: toneTokens(tone).text,
        border: `1px solid ${toneTokens(tone).border}`,
      };
    case 'subtle':
      return bare(tone, 'var(--surface-2)');
    case 'transparent':
      return bare(tone, 'transparent');
    case 'none':
      return { background: 'transparent', hover: 'transparent', color: 'inherit', border: 'none' };
    default:
      return {
        background: 'var(--surface-1)',
        hover: 'var(--surface-2)',
        color: 'var(--text)',
        border: '1px solid var(--border)',
      };
  }
}

/** Adapts {@link toneColors} to the signature that Mantine expects. */
export const variantColors: VariantColorsResolver = ({ color, variant }) => toneColors(color, variant);
