import { expect, test } from 'vitest';
import { DRAWING, placeMembers } from './layout.ts';

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `issue-${from + at}`);

test('places every issue within the drawing, and no two issues at the same position', () => {
  for (const parts of [[ids(1)], [ids(2)], [ids(24)], [ids(1), ids(1, 1)], [ids(9), ids(15, 9)]]) {
    const { positions, height } = placeMembers(parts);
    const points = [...positions.values()];
    expect(points).toHaveLength(parts.flat().length);
    for (const { x, y } of points) {
      expect(x).toBeGreaterThanOrEqual(DRAWING.marginX - 0.001);
      expect(x).toBeLessThanOrEqual(DRAWING.width - DRAWING.marginX + 0.001);
      expect(y).toBeGreaterThanOrEqual(DRAWING.marginY - 0.001);
      expect(y).toBeLessThanOrEqual(height - DRAWING.marginY + 0.001);
    }
    const places = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
    expect(new Set(places).size).toBe(points.length);
  }
});

test('places the first part left of the second part, with the first issues of both parts facing each other', () => {
  const [left, right] = [ids(5), ids(4, 5)];
  const { positions: points } = placeMembers([left, right]);
  const xs = (part: string[]) => part.map((id) => points.get(id)?.x ?? Number.NaN);
  expect(Math.max(...xs(left))).toBeLessThan(Math.min(...xs(right)));
  expect(xs(left)[0]).toBe(Math.max(...xs(left)));
  expect(xs(right)[0]).toBe(Math.min(...xs(right)));
});

test('reserves no space for an empty part', () => {
  expect(placeMembers([ids(3), []])).toEqual(placeMembers([ids(3)]));
});
