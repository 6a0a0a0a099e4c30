import { countText } from '../../../ui/texts/count-text.ts';
import classes from './map.module.css';
import type { PointStyles } from './point-styles.ts';
import { outlineOf } from './shapes.ts';

const LEGEND_RADIUS_PX = 4.5;

/** Legend of the map. Lists colors and shapes, with the number of points of each. */
export function MapLegend({ styles: { styles }, by }: { styles: PointStyles; by: string }) {
  return (
    <ul className={classes.legend} aria-label={`Colors by ${by}`}>
      {styles
        .filter(({ count }) => count > 0)
        .map(({ label, count, color, shape }) => (
          <li key={label}>
            <svg width={14} height={14} viewBox="-7 -7 14 14" aria-hidden="true">
              <path
                d={outlineOf(shape, LEGEND_RADIUS_PX)}
                fill={shape === 'ring' ? 'none' : `var(--${color})`}
                stroke={shape === 'ring' ? `var(--${color})` : 'none'}
                strokeWidth={1.75}
              />
            </svg>
            <span className={`${classes.meaning} trunc`} title={label}>
              {label}
            </span>
            <span className={classes.count}>{countText(count)}</span>
          </li>
        ))}
    </ul>
  );
}
