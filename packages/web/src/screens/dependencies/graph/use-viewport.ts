import { type PointerEvent, useRef, useState } from 'react';
import { useZoomWindow, type ZoomWindow } from '../../../ui/use-zoom-window.ts';
import type { Point } from './layout/layout.ts';
import {
  type Box,
  fitView,
  initialView,
  moveView,
  revealBox,
  type Size,
  type View,
  zoomView,
} from './viewport.ts';

/** Factor by which a zoom button or key changes the scale. */
const ZOOM_STEP = 1.25;
/**
 * Maximum distance in pixels that the pointer may move during a click. A longer movement drags the
 * drawing.
 */
const CLICK_SLOP_PX = 4;

export type Viewport = ZoomWindow & {
  view: View;
  zoomIn: () => void;
  zoomOut: () => void;
  fit: () => void;
  move: (by: Point) => void;
  reveal: (box: Box) => void;
  dragging: boolean;
  /** Event handlers for the element that contains the drawing. */
  pointer: {
    onPointerDown: (event: PointerEvent<Element>) => void;
    onPointerMove: (event: PointerEvent<Element>) => void;
    onPointerUp: (event: PointerEvent<Element>) => void;
    onPointerCancel: (event: PointerEvent<Element>) => void;
    onClickCapture: (event: { preventDefault: () => void; stopPropagation: () => void }) => void;
  };
};

type Drag = { pointerId: number; last: Point; far: number };

/**
 * Manages the visible part of a drawing. It can be changed by dragging, by Ctrl with the mouse
 * wheel, and by keyboard.
 */
export function useViewport(drawing: Size, start: Point): Viewport {
  const { ref, size } = useZoomWindow((factor, around) => zoomBy(factor, around));
  // The view set by the user. Null until the user moves the drawing; until then, the view is
  // computed from the window size.
  const [held, setHeld] = useState<View | null>(null);
  const [dragging, setDragging] = useState(false);
  const drag = useRef<Drag | null>(null);
  const wasDragged = useRef(false);
  const view = held ?? (size === null ? { x: 0, y: 0, scale: 1 } : initialView(drawing, size, start));
  const change = (by: (view: View) => View) => setHeld((now) => by(now ?? view));
  const middle = { x: (size?.width ?? 0) / 2, y: (size?.height ?? 0) / 2 };
  const zoomBy = (factor: number, around = middle) => change((now) => zoomView(now, factor, around));

  const endDrag = () => {
    drag.current = null;
    setDragging(false);
  };
  return {
    ref,
    size,
    view,
    zoomIn: () => zoomBy(ZOOM_STEP),
    zoomOut: () => zoomBy(1 / ZOOM_STEP),
    fit: () => {
      if (size !== null) setHeld(fitView(drawing, size));
    },
    move: (by) => change((now) => moveView(now, by)),
    reveal: (box) => {
      if (size === null) return;
      setHeld((now) => {
        const from = now ?? view;
        const to = revealBox(from, box, size);
        // If the box is already visible, return the same object, so that nothing is rendered again.
        return to.x === from.x && to.y === from.y ? now : to;
      });
    },
    dragging,
    pointer: {
      onPointerDown: ({ button, pointerId, clientX, clientY }) => {
        if (button !== 0) return;
        wasDragged.current = false;
        drag.current = { pointerId, last: { x: clientX, y: clientY }, far: 0 };
      },
      onPointerMove: ({ pointerId, clientX, clientY, currentTarget }) => {
        const now = drag.current;
        if (now === null || now.pointerId !== pointerId) return;
        const by = { x: clientX - now.last.x, y: clientY - now.last.y };
        const far = now.far + Math.hypot(by.x, by.y);
        if (far < CLICK_SLOP_PX) return;
        if (!wasDragged.current) {
          wasDragged.current = true;
          setDragging(true);
          currentTarget.setPointerCapture(pointerId);
        }
        drag.current = { pointerId, last: { x: clientX, y: clientY }, far };
        change((view) => moveView(view, by));
      },
      onPointerUp: endDrag,
      onPointerCancel: endDrag,
      onClickCapture: (event) => {
        if (!wasDragged.current) return;
        // Do not treat the end of a drag as a click.
        wasDragged.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
