import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';

/** A turn of the wheel is told in pixels, more or less. */
const WHEEL_ZOOM = 0.002;

export type ZoomWindow = {
  /** For the element that is the window. */
  ref: RefObject<HTMLElement | null>;
  /** Null until it is known how large the window is. */
  size: { width: number; height: number } | null;
};

/** A window on something larger. Ctrl and the wheel ask `onZoom` for a factor about a place of the window. */
export function useZoomWindow(
  onZoom: (factor: number, around: { x: number; y: number }) => void,
): ZoomWindow {
  const ref = useRef<HTMLElement>(null);
  const [size, setSize] = useState<ZoomWindow['size']>(null);
  const onWheel = useEffectEvent((event: WheelEvent, element: HTMLElement) => {
    if (!event.ctrlKey && !event.metaKey) return;
    // The browser would zoom the page, which a listener of React's cannot keep it from.
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
