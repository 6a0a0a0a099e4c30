export type Point = { x: number; y: number };

/** Size of the drawing, and the distance of the outermost points from its edges, in pixels. */
export const DRAWING = { width: 488, height: 216, marginX: 44, marginY: 36 } as const;

/**
 * Places issues on ellipses, side by side: one for each part of the cluster. With two parts, the
 * first issue of each faces the other part, so that the link between them crosses nothing.
 */
export function placeMembers(parts: readonly (readonly string[])[]): ReadonlyMap<string, Point> {
  const filled = parts.filter((part) => part.length > 0);
  const width = (DRAWING.width - 2 * DRAWING.marginX) / Math.max(1, filled.length);
  const gap = filled.length > 1 ? width / 4 : 0;
  const positions = new Map<string, Point>();
  for (const [index, part] of filled.entries()) {
    const center = { x: DRAWING.marginX + width * (index + 0.5), y: DRAWING.height / 2 };
    const radius = { x: (width - gap) / 2, y: DRAWING.height / 2 - DRAWING.marginY };
    const start = index === 0 && filled.length > 1 ? 0 : Math.PI;
    for (const [place, id] of part.entries()) {
      const angle = start + (place * 2 * Math.PI) / part.length;
      const isAlone = part.length === 1;
      positions.set(id, {
        x: isAlone ? center.x : center.x + radius.x * Math.cos(angle),
        y: isAlone ? center.y : center.y + radius.y * Math.sin(angle),
      });
    }
  }
  return positions;
}
