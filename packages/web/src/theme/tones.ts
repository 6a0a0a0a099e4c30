/** The colors a component may be given. `accent` is for what can be done, the others for what is. */
export const TONES = ['accent', 'success', 'warning', 'danger', 'info', 'neutral'] as const;
export type Tone = (typeof TONES)[number];

/** The custom properties of one tone, as `var()` references into tokens.css. */
export function toneTokens(tone: Tone): { background: string; text: string; border: string; mark: string } {
  return {
    background: `var(--${tone}-bg)`,
    text: tone === 'accent' ? 'var(--accent-text)' : `var(--${tone}-fg)`,
    border: `var(--${tone}-border)`,
    mark: tone === 'accent' ? 'var(--data-1)' : `var(--${tone}-mark)`,
  };
}

/** Tells one of our tones from any other color name. */
export function isTone(value: string | undefined): value is Tone {
  return TONES.some((tone) => tone === value);
}
