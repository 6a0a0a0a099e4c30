import type { Icon } from '@tabler/icons-react';
import { type Tone, toneTokens } from '../tones.ts';
import classes from './badge.module.css';

export type BadgeProps = {
  tone?: Tone;
  /** Every state has its own icon, so that color is never the only sign. */
  icon?: Icon;
  /** Not decided yet: a dashed border and no ground. */
  dashed?: boolean;
  /** 18 px high, beside a line of text. */
  small?: boolean;
  children: string;
};

/** What something is: an icon and a word, 4 px corners, the tint of its tone. */
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
