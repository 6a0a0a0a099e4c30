import type { CSSVariablesResolver } from '@mantine/core';
import { TONES, type Tone, toneTokens } from '../../theme/tones.ts';

const SURFACES: Record<string, string> = {
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-error': 'var(--danger-fg)',
  '--mantine-color-success': 'var(--success-fg)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-default': 'var(--surface-1)',
  '--mantine-color-default-hover': 'var(--surface-2)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--border)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-disabled': 'var(--surface-2)',
  '--mantine-color-disabled-color': 'var(--text-3)',
  '--mantine-color-disabled-border': 'var(--border)',
  '--mantine-primary-color-contrast': 'var(--accent-on)',
};

function toneVariables(tone: Tone): Record<string, string> {
  const { background, text, border } = toneTokens(tone);
  const fill = tone === 'accent' ? 'var(--accent)' : tone === 'danger' ? 'var(--danger-fill)' : background;
  const fillHover = tone === 'accent' ? 'var(--accent-hover)' : fill;
  return {
    [`--mantine-color-${tone}-text`]: text,
    [`--mantine-color-${tone}-filled`]: fill,
    [`--mantine-color-${tone}-filled-hover`]: fillHover,
    [`--mantine-color-${tone}-light`]: background,
    [`--mantine-color-${tone}-light-hover`]: background,
    [`--mantine-color-${tone}-light-color`]: text,
    [`--mantine-color-${tone}-outline`]: border,
    [`--mantine-color-${tone}-outline-hover`]: 'var(--surface-2)',
  };
}

/**
 * Maps Mantine's variables to the design tokens. The values of the tokens depend on the color
 * scheme, so both schemes get the same references.
 */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = Object.assign({}, SURFACES, ...TONES.map(toneVariables));
  return { variables: {}, light: shared, dark: shared };
};
