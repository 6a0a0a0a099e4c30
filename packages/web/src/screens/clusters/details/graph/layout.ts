export type Point = { x: number; y: number };

/** Width of the drawing and minimum distance of issues from its edges, in pixels. */
export const DRAWING = { width: 488, marginX: 44, marginY: 32 } as const;

/**
 * Returns the height of the drawing in pixels, depending on the number of issues in the largest
 * part.
 */
function heightFor(issues: number): number {
  if (issues <= 1) return 80;
  if (issues <= 2) return 120;
  return issues <= 4 ? 160 : 216;
}

export type Placement = { positions: ReadonlyMap<string, Point>; height: number };

/**
 * Places the issues of each part of a cluster on an ellipse. The ellipses are side by side. The
 * first issues of two parts face each other, so that no other link crosses the link between them.
 */
export function placeMembers(parts: readonly (readonly string[])[]): Placement {
  const filled = parts.filter((part) => part.length > 0);
  const width = (DRAWING.width - 2 * DRAWING.marginX) / Math.max(1, filled.length);
  const gap = filled.length > 1 ? width / 4 : 0;
  const height = heightFor(Math.max(0, ...filled.map((part) => part.length)));
  const positions = new Map<string, Point>();
  for (const [index, part] of filled.entries()) {
    const center = { x: DRAWING.marginX + width * (index + 0.5), y: height / 2 };
    const radius = { x: (width - gap) / 2, y: height / 2 - DRAWING.marginY };
    // Rotate the ellipse, so that no link passes through a third issue.
    const tilt = Math.PI / (2 * part.length);
    const start = index === 0 && filled.length > 1 ? -tilt : Math.PI + tilt;
    for (const [place, id] of part.entries()) {
      const angle = start + (place * 2 * Math.PI) / part.length;
      const isAlone = part.length === 1;
      positions.set(id, {
        x: isAlone ? center.x : center.x + radius.x * Math.cos(angle),
        y: isAlone ? center.y : center.y + radius.y * Math.sin(angle),
      });
    }
  }
  return { positions, height };
}
