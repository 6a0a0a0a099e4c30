import { type PointerEvent, useRef, useState } from 'react';
import type { Point } from './plane.ts';

/** Effect of dragging on the map: selects a region, or moves the map. */
export type Tool = 'select' | 'move';
/** Start and current position of a drag, in window pixels. */
export type Draft = { from: Point; to: Point };

/**
 * Maximum distance in pixels that the pointer may move during a click. A longer movement is a drag.
 */
const CLICK_TOLERANCE_PX = 4;
/**
 * Maximum distance in pixels at which a click selects a point. It is larger for touch, which is
 * less precise.
 */
const HIT_RADIUS_PX = { mouse: 8, other: 18 };

type Press = { pointerId: number; from: Point; last: Point; tool: Tool; isDrag: boolean };

export type MapDragOptions = {
  tool: Tool;
  move: (by: Point) => void;
  zoomBy: (factor: number, around: Point) => void;
  onHover: (at: Point | null, reach: number) => void;
  onPress: (at: Point, reach: number) => void;
  onBrush: (draft: Draft) => void;
};

function placeOf({ clientX, clientY, currentTarget }: PointerEvent<Element>): Point {
  const box = currentTarget.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}

function reachOf({ pointerType }: PointerEvent<Element>): number {
  return pointerType === 'mouse' ? HIT_RADIUS_PX.mouse : HIT_RADIUS_PX.other;
}

function middleOf(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

/**
 * Handles pointer events on the map. A click opens a point. A drag selects a region or moves the
 * map, depending on `tool`. Dragging with Shift or the middle button always moves the map. Two
 * fingers move and zoom the map.
 */
export function useMapDrag({ tool, move, zoomBy, onHover, onPress, onBrush }: MapDragOptions) {
  const fingers = useRef(new Map<number, Point>());
  const press = useRef<Press | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [moving, setMoving] = useState(false);

  const end = () => {
    press.current = null;
    setDraft(null);
    setMoving(false);
  };
  const pinch = (pointerId: number, to: Point) => {
    const from = fingers.current.get(pointerId);
    const [other] = [...fingers.current].flatMap(([id, at]) => (id === pointerId ? [] : [at]));
    if (from === undefined || other === undefined) return;
    const [before, after] = [middleOf(from, other), middleOf(to, other)];
    const spread = Math.hypot(from.x - other.x, from.y - other.y);
    if (spread > 0) zoomBy(Math.hypot(to.x - other.x, to.y - other.y) / spread, before);
    move({ x: after.x - before.x, y: after.y - before.y });
  };
  return {
    draft,
    moving,
    pointer: {
      onPointerDown: (event: PointerEvent<Element>) => {
        const { button, pointerId, shiftKey, currentTarget } = event;
        if (button > 1) return;
        const at = placeOf(event);
        fingers.current.set(pointerId, at);
        currentTarget.setPointerCapture(pointerId);
        onHover(null, 0);
        if (fingers.current.size > 1) end();
        else {
          const isMove = tool === 'move' || shiftKey || button === 1;
          press.current = { pointerId, from: at, last: at, tool: isMove ? 'move' : 'select', isDrag: false };
        }
      },
      onPointerMove: (event: PointerEvent<Element>) => {
        const at = placeOf(event);
        const { pointerId } = event;
        if (!fingers.current.has(pointerId)) {
          if (event.pointerType === 'mouse') onHover(at, reachOf(event));
          return;
        }
        if (fingers.current.size > 1) pinch(pointerId, at);
        fingers.current.set(pointerId, at);
        const current = press.current;
        if (current === null || current.pointerId !== pointerId) return;
        if (!current.isDrag && Math.hypot(at.x - current.from.x, at.y - current.from.y) < CLICK_TOLERANCE_PX)
          return;
        if (current.tool === 'select') setDraft({ from: current.from, to: at });
        else {
          setMoving(true);
          move({ x: at.x - current.last.x, y: at.y - current.last.y });
        }
        press.current = { ...current, last: at, isDrag: true };
      },
      onPointerUp: (event: PointerEvent<Element>) => {
        fingers.current.delete(event.pointerId);
        const current = press.current;
        if (current === null || current.pointerId !== event.pointerId) return;
        end();
        const at = placeOf(event);
        if (current.isDrag && current.tool === 'select') onBrush({ from: current.from, to: at });
        else if (!current.isDrag && event.button === 0) onPress(at, reachOf(event));
      },
      onPointerCancel: ({ pointerId }: PointerEvent<Element>) => {
        fingers.current.delete(pointerId);
        end();
      },
      onPointerLeave: () => onHover(null, 0),
    },
  };
}
