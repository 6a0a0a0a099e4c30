import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type Bounds, fitted, moved, type Point, revealing, type Size, type View, zoomed } from './plane.ts';

/** A turn of the wheel is told in pixels, more or less. */
const WHEEL_ZOOM = 0.002;

/** Seeing a map through a window that is moved and zoomed. */
export type MapWindow = {
  ref: RefObject<HTMLElement | null>;
  /** Null until it is known how large the window is. */
  size: Size | null;
  view: View;
  /** How much nearer it is than when all is shown. */
  zoom: number;
  /** About a place of the window; about its middle when left out. */
  zoomBy: (factor: number, around?: Point) => void;
  move: (by: Point) => void;
  showAll: () => void;
  reveal: (point: Point) => void;
};

/** Shows all of the map, also when its size changes, until somebody moves it. Ctrl and the wheel zoom. */
export function useMapWindow(bounds: Bounds): MapWindow {
  const ref = useRef<HTMLElement>(null);
  const [size, setSize] = useState<Size | null>(null);
  const [held, setHeld] = useState<View | null>(null);
  const fit = useMemo(() => fitted(bounds, size ?? { width: 0, height: 0 }), [bounds, size]);
  const change = (by: (view: View) => View) => setHeld((now) => by(now ?? fit));
  const middle = { x: (size?.width ?? 0) / 2, y: (size?.height ?? 0) / 2 };

  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    // The browser would zoom the page, which a listener of React's cannot keep it from.
    event.preventDefault();
    const box = ref.current?.getBoundingClientRect();
    if (box === undefined) return;
    const around = { x: event.clientX - box.left, y: event.clientY - box.top };
    change((view) => zoomed(view, Math.exp(-event.deltaY * WHEEL_ZOOM), around, fit));
  });
  useEffect(() => {
    const element = ref.current;
    const listener = (event: WheelEvent) => onWheel(event);
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, []);

  const view = held ?? fit;
  return {
    ref,
    size,
    view,
    zoom: view.scale / fit.scale,
    zoomBy: (factor, around = middle) => change((now) => zoomed(now, factor, around, fit)),
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
