import type { Icon } from '@tabler/icons-react';
import classes from './points.module.css';

/** A benefit with icon, title and text. */
export interface Point {
  icon: Icon;
  title: string;
  text: string;
}

/** Three benefits side by side. On narrow screens, they are stacked. */
export function Points({ points }: { points: readonly Point[] }) {
  return (
    <ul className={classes.points}>
      {points.map(({ icon: Glyph, title, text }) => (
        <li key={title}>
          <Glyph size={22} stroke={1.75} aria-hidden />
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
}
