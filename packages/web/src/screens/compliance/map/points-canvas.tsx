import { useEffect, useRef } from 'react';
import { type Drawing, drawPoints } from './draw.ts';
import classes from './map.module.css';
import type { Size, View } from './plane.ts';

export type PointsCanvasProps = Drawing & { view: View; size: Size; radius: number };

/**
 * Canvas of the points, redrawn only if the appearance of the points changes. It reads the theme
 * colors on mount, so remount it when the color scheme changes.
 */
export function PointsCanvas(props: PointsCanvasProps) {
  const { points, styles, order, isHighlighted, view, size, radius } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const element = canvas.current;
      const context = element?.getContext('2d');
      if (!element || !context) return;
      const ratio = devicePixelRatio;
      const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
      // Set the size only if it differs, because setting it clears the canvas.
      if (element.width !== width) element.width = width;
      if (element.height !== height) element.height = height;
      const style = getComputedStyle(element);
      const colorOf = (token: string) => style.getPropertyValue(`--${token}`).trim();
      drawPoints(context, { points, styles, order, isHighlighted }, { view, size, ratio, radius, colorOf });
    });
    return () => cancelAnimationFrame(frame);
  }, [points, styles, order, isHighlighted, view, size, radius]);
  return <canvas ref={canvas} className={classes.canvas} />;
}
