import type { Icon } from '@tabler/icons-react';
import { type Tone, toneTokens } from '../tones.ts';
import classes from './badge.module.css';

export type BadgeProps = {
  tone?: Tone;
  /** Icon of the state, so that color is not the only indicator. */
  icon?: Icon;
  /** True for an undecided state. The badge then has a dashed border and no background. */
  dashed?: boolean;
  /** True for a height of 18 px, for use within a line of text. */
  small?: boolean;
  children: string;
};

/** Badge for a status. It shows an icon and a word on the background tint of its tone. */
export function Badge({
  tone = 'neutral',
  icon: Glyph,
  dashed = false,
  small = false,
  children,
}: BadgeProps) {
  const { background, text, border } = toneTokens(tone);
  const names = [
    classes.badge,
    Glyph ? '' : classes.plain,
    small ? classes.small : '',
    dashed ? classes.dashed : '',
  ];
  return (
    <span
      className={names.join(' ')}
      style={{ background: dashed ? 'none' : background, color: text, borderColor: border }}
    >
      {Glyph ? <Glyph size={14} stroke={1.75} aria-hidden /> : null}
      {children}
    </span>
  );
}
