/** Color tones of components. `accent` marks actions, the other tones mark states. */
export const TONES = ['accent', 'success', 'warning', 'danger', 'info', 'neutral'] as const;
export type Tone = (typeof TONES)[number];

/** Returns the custom properties of a tone, as `var()` references to tokens.css. */
export function toneTokens(tone: Tone): { background: string; text: string; border: string; mark: string } {
  return {
    background: `var(--${tone}-bg)`,
    text: tone === 'accent' ? 'var(--accent-text)' : `var(--${tone}-fg)`,
    border: `var(--${tone}-border)`,
    mark: tone === 'accent' ? 'var(--data-1)' : `var(--${tone}-mark)`,
  };
}

/** True if the color name is a tone of the design system. */
export function isTone(value: string | undefined): value is Tone {
  return TONES.some((tone) => tone === value);
}
