import { type MouseEvent, type PointerEvent, useRef } from 'react';
import { isDrag, stepsOfDrag } from './slide-steps.ts';

/**
 * Returns the props of an element that changes slides when the user drags it sideways. Suppresses
 * the click at the end of a drag.
 */
export function useDrag(turn: (by: number) => void) {
  const from = useRef<number | null>(null);
  const wasDragged = useRef(false);
  return {
    onPointerDown: ({ clientX, isPrimary }: PointerEvent) => {
      from.current = isPrimary ? clientX : null;
      wasDragged.current = false;
    },
    onPointerUp: ({ clientX }: PointerEvent) => {
      if (from.current === null) return;
      const moved = clientX - from.current;
      from.current = null;
      wasDragged.current = isDrag(moved);
      const steps = stepsOfDrag(moved);
      if (steps !== 0) turn(steps);
    },
    onPointerCancel: () => {
      from.current = null;
    },
    onClickCapture: (event: MouseEvent) => {
      if (!wasDragged.current) return;
      wasDragged.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
