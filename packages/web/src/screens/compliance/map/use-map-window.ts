import { useMemo, useState } from 'react';
import { useZoomWindow, type ZoomWindow } from '../../../ui/use-zoom-window.ts';
import { type Bounds, fitView, type Point, panToReveal, panView, type View, zoomView } from './plane.ts';

/** The visible part of the map, with actions that change it. */
export type MapWindow = ZoomWindow & {
  view: View;
  /** Current zoom factor. 1 shows the whole map. */
  zoom: number;
  /**
   * Zooms by a factor. The map point at window position `around`, by default the center, does not
   * move.
   */
  zoomBy: (factor: number, around?: Point) => void;
  move: (by: Point) => void;
  showAll: () => void;
  reveal: (point: Point) => void;
};

/**
 * Manages the visible part of the map. Initially and after resizing, shows the whole map, until the
 * user moves it. Ctrl with the mouse wheel zooms.
 */
export function useMapWindow(bounds: Bounds): MapWindow {
  const { ref, size } = useZoomWindow((factor, around) => zoomBy(factor, around));
  const [userView, setUserView] = useState<View | null>(null);
  const fit = useMemo(() => fitView(bounds, size ?? { width: 0, height: 0 }), [bounds, size]);
  const change = (by: (view: View) => View) => setUserView((now) => by(now ?? fit));
  const middle = { x: (size?.width ?? 0) / 2, y: (size?.height ?? 0) / 2 };
  const zoomBy = (factor: number, around = middle) => change((now) => zoomView(now, factor, around, fit));

  const view = userView ?? fit;
  return {
    ref,
    size,
    view,
    zoom: view.scale / fit.scale,
    zoomBy,
    move: (by) => change((now) => panView(now, by)),
    showAll: () => setUserView(null),
    reveal: (point) => {
      if (size === null) return;
      setUserView((now) => {
        const to = panToReveal(now ?? fit, point, size);
        // If the point is already visible, do not move the map, so that it continues to fit the
        // window.
        return to.x === (now ?? fit).x && to.y === (now ?? fit).y ? now : to;
      });
    },
  };
}
