import { useEffect, useRef } from 'react';
import { type Drawing, drawPoints } from './draw.ts';
import classes from './map.module.css';
import type { Size, View } from './plane.ts';

export type PointsCanvasProps = Drawing & { view: View; size: Size; radius: number };

/**
 * The points alone, drawn anew only when one of them is to look different. The colors are those of
 * when it was mounted.
 */
export function PointsCanvas(props: PointsCanvasProps) {
  const { points, looks, order, isMeant, view, size, radius } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const element = canvas.current;
      const context = element?.getContext('2d');
      if (!element || !context) return;
      const ratio = devicePixelRatio;
      const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
      // To set a size empties the canvas, even if it is the same.
      if (element.width !== width) element.width = width;
      if (element.height !== height) element.height = height;
      const style = getComputedStyle(element);
      const colorOf = (token: string) => style.getPropertyValue(`--${token}`).trim();
      drawPoints(context, { points, looks, order, isMeant }, { view, size, ratio, radius, colorOf });
    });
    return () => cancelAnimationFrame(frame);
  }, [points, looks, order, isMeant, view, size, radius]);
  return <canvas ref={canvas} className={classes.canvas} />;
}
