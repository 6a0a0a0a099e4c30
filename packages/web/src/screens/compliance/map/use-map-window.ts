import { useMemo, useState } from 'react';
import { useZoomWindow, type ZoomWindow } from '../../../ui/use-zoom-window.ts';
import { type Bounds, fitted, moved, type Point, revealing, type View, zoomed } from './plane.ts';

/** Seeing a map through a window that is moved and zoomed. */
export type MapWindow = ZoomWindow & {
  view: View;
  /** Zoom factor; 1 shows the whole map. */
  zoom: number;
  /** About a place of the window; about its middle when left out. */
  zoomBy: (factor: number, around?: Point) => void;
  move: (by: Point) => void;
  showAll: () => void;
  reveal: (point: Point) => void;
};

/**
 * Shows all of the map, also when its size changes, until somebody moves it. Ctrl and the wheel
 * zoom.
 */
export function useMapWindow(bounds: Bounds): MapWindow {
  const { ref, size } = useZoomWindow((factor, around) => zoomBy(factor, around));
  const [held, setHeld] = useState<View | null>(null);
  const fit = useMemo(() => fitted(bounds, size ?? { width: 0, height: 0 }), [bounds, size]);
  const change = (by: (view: View) => View) => setHeld((now) => by(now ?? fit));
  const middle = { x: (size?.width ?? 0) / 2, y: (size?.height ?? 0) / 2 };
  const zoomBy = (factor: number, around = middle) => change((now) => zoomed(now, factor, around, fit));

  const view = held ?? fit;
  return {
    ref,
    size,
    view,
    zoom: view.scale / fit.scale,
    zoomBy,
    move: (by) => change((now) => moved(now, by)),
    showAll: () => setHeld(null),
    reveal: (point) => {
      if (size === null) return;
      setHeld((now) => {
        const to = revealing(now ?? fit, point, size);
        // What is in sight anyway leaves the map as it is shown.
        return to.x === (now ?? fit).x && to.y === (now ?? fit).y ? now : to;
      });
    },
  };
}
