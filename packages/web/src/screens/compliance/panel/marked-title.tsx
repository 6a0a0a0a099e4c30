import { type Passage, splitMarked } from '../../../features/issues/text/marks.ts';
import classes from './panel.module.css';

/** Title with the evidence of the score marked. */
export function MarkedTitle({ title, passages }: { title: string; passages: readonly Passage[] }) {
  return (
    <h3 className={classes.title} dir="auto">
      {splitMarked(title, passages).map(({ start, end, passage }) =>
        passage === null ? (
          <span key={start}>{title.slice(start, end)}</span>
        ) : (
          <mark className={classes.mark} key={start}>
            {title.slice(start, end)}
          </mark>
        ),
      )}
    </h3>
  );
}
