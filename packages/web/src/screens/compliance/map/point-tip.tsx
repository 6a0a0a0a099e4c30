import type { MapPoint } from '@winnow/contract/search';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import classes from './map.module.css';
import { type Size, toWindow, type View } from './plane.ts';

/** Distance of the tooltip from the point, in pixels. */
const TIP_DISTANCE_PX = 12;

export type PointTipProps = { point: MapPoint; note: string; view: View; size: Size };

/**
 * Tooltip that names the issue of a point. It is displayed on the side of the point that has more
 * space.
 */
export function PointTip({ point, note, view, size }: PointTipProps) {
  const { x, y } = toWindow(view, point);
  const isRight = x > size.width / 2;
  const isLow = y > size.height / 2;
  return (
    <div
      className={classes.tip}
      aria-hidden="true"
      style={{
        ...(isRight ? { right: size.width - x + TIP_DISTANCE_PX } : { left: x + TIP_DISTANCE_PX }),
        ...(isLow ? { bottom: size.height - y + TIP_DISTANCE_PX } : { top: y + TIP_DISTANCE_PX }),
      }}
    >
      <span className={classes.tipKey}>
        {point.issue_key} <TrackerMark projectId={point.project_id} />
      </span>
      <span className={classes.tipTitle} dir="auto">
        {point.issue_title}
      </span>
      <span className={classes.tipNote}>{note}</span>
    </div>
  );
}
