import type { MapRegion } from '@winnow/contract/search';
import { useMemo } from 'react';
import { countText } from '../../../ui/texts/count-text.ts';
import { type Label, placeLabels } from './labels.ts';
import classes from './map.module.css';
import { type Point, type Size, toWindow, type View } from './plane.ts';
import { boxInWindow } from './regions.ts';

export type MapOverlayProps = {
  points: readonly Point[];
  view: View;
  size: Size;
  radius: number;
  labels: readonly Label[];
  region: MapRegion | null;
  /**
   * Region that the user is currently dragging, with the number of issues in it. Null when not
   * dragging.
   */
  draft: { region: MapRegion; count: number } | null;
  /** Point of the issue that is open in the panel. */
  selected: Point | undefined;
  /** Point that has the keyboard focus or is under the pointer. */
  current: Point | undefined;
};

/**
 * SVG drawn above the points. It contains theme names, the region, and rings around the selected
 * and the current point. Hidden from screen readers, which read the same information as text.
 */
export function MapOverlay({
  points,
  view,
  size,
  radius,
  labels,
  region,
  draft,
  selected,
  current,
}: MapOverlayProps) {
  const named = useMemo(
    () => placeLabels(labels, points, { view, size, radius }),
    [labels, points, view, size, radius],
  );
  const shown = draft?.region ?? region;
  const box = shown === null ? null : boxInWindow(view, shown);
  const ring = (point: Point | undefined, className: string | undefined, wider: number) => {
    if (point === undefined) return null;
    const { x, y } = toWindow(view, point);
    return <circle className={className} cx={x} cy={y} r={radius + wider} />;
  };
  return (
    <svg className={classes.overlay} aria-hidden="true">
      {box === null ? null : (
        <rect
          className={classes.region}
          data-draft={draft !== null || undefined}
          x={box.x}
          y={box.y}
          width={Math.max(box.width, 2)}
          height={Math.max(box.height, 2)}
        />
      )}
      {named.map(({ text, at }) => (
        <text className={classes.label} key={text} x={at.x} y={at.y}>
          {text}
        </text>
      ))}
      {ring(selected, classes.selected, 4)}
      {ring(current, classes.current, 2)}
      {box === null || draft === null ? null : (
        <text className={classes.label} x={box.x + box.width / 2} y={Math.max(box.y - 6, 14)}>
          {draft.count === 1 ? '1 issue' : `${countText(draft.count)} issues`}
        </text>
      )}
    </svg>
  );
}
