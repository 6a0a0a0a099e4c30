import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';

/** Exponent of the zoom factor per pixel of wheel movement. */
const WHEEL_ZOOM = 0.002;

export type ZoomWindow = {
  /** Ref of the element that shows a part of the larger content. */
  ref: RefObject<HTMLElement | null>;
  /** Size of the element in `ref`. Null until it has been measured. */
  size: { width: number; height: number } | null;
};

/**
 * Handles zooming of content that is larger than its visible part.
 * Turning the wheel with Ctrl or Cmd pressed calls `onZoom` with a factor and the pointer position
 * in the visible part.
 */
export function useZoomWindow(
  onZoom: (factor: number, around: { x: number; y: number }) => void,
): ZoomWindow {
  const ref = useRef<HTMLElement>(null);
  const [size, setSize] = useState<ZoomWindow['size']>(null);
  const onWheel = useEffectEvent((event: WheelEvent, element: HTMLElement) => {
    if (!event.ctrlKey && !event.metaKey) return;
    // Prevents the browser from zooming the page. React cannot do this, because its wheel listeners
    // are passive.
    event.preventDefault();
    const box = element.getBoundingClientRect();
    const around = { x: event.clientX - box.left, y: event.clientY - box.top };
    onZoom(Math.exp(-event.deltaY * WHEEL_ZOOM), around);
  });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    const listener = (event: WheelEvent) => onWheel(event, element);
    element.addEventListener('wheel', listener, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener('wheel', listener);
    };
  }, []);
  return { ref, size };
}
