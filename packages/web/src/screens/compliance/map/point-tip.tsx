import type { MapPoint } from '@winnow/contract/search';
import { TrackerMark } from '../../../features/issues/tracker-mark.tsx';
import classes from './map.module.css';
import { type Size, toWindow, type View } from './plane.ts';

/** So far from its point. */
const AWAY = 12;

export type PointTipProps = { point: MapPoint; note: string; view: View; size: Size };

/** Which issue a point is, beside it, on the side where there is room. */
export function PointTip({ point, note, view, size }: PointTipProps) {
  const { x, y } = toWindow(view, point);
  const isRight = x > size.width / 2;
  const isLow = y > size.height / 2;
  return (
    <div
      className={classes.tip}
      aria-hidden="true"
      style={{
        ...(isRight ? { right: size.width - x + AWAY } : { left: x + AWAY }),
        ...(isLow ? { bottom: size.height - y + AWAY } : { top: y + AWAY }),
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
