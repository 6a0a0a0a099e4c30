import type { MapPoint } from '@winnow/contract/search';
import { expect, test } from 'vitest';
import { drawingOrder } from './draw.ts';
import { placeLabels, themeLabels } from './labels.ts';
import { scoreStyles, themeStyles } from './point-styles.ts';

const PROJECT = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

function point(id: string, theme: number | null, x = 0, y = 0): MapPoint {
  return {
    issue_id: id,
    project_id: PROJECT,
    issue_key: id,
    issue_title: id,
    state: 'opened',
    x,
    y,
    cluster_id: theme,
  };
}

/**
 * Creates `count` themes, where the theme at index n has n + 1 points, and a point without a theme.
 */
function themes(count: number) {
  const data = Array.from({ length: count }, (_, theme) =>
    Array.from({ length: theme + 1 }, (_, index) => point(`${theme}-${index}`, theme)),
  ).flat();
  const clusters = Array.from({ length: count }, (_, theme) => ({
    cluster_id: theme,
    issues: theme + 1,
    name: theme % 2 === 0 ? `even ${theme}` : null,
  })).reverse();
  return { data: [...data, point('alone', null)], clusters };
}

test('gives the eight largest themes distinct styles, and all other points a common style', () => {
  const { styles, styleOf } = themeStyles(themes(10));
  expect(styles.map(({ label, count }) => [label, count])).toEqual([
    ['Theme 10 (no common words)', 10],
    ['even 8', 9],
    ['Theme 8 (no common words)', 8],
    ['even 6', 7],
    ['Theme 6 (no common words)', 6],
    ['even 4', 5],
    ['Theme 4 (no common words)', 4],
    ['even 2', 3],
    ['2 smaller themes', 3],
    ['No theme', 1],
  ]);
  const appearances = styles.map(({ color, shape }) => `${color} ${shape}`);
  expect(new Set(appearances).size).toBe(styles.length);
  expect(styleOf.at(-1)).toBe(9);
});

test('gives scores three styles and unscored issues a ring, each with its own shape', () => {
  const data = ['a', 'b', 'c', 'd', 'e'].map((id) => point(id, null));
  const { styles, styleOf } = scoreStyles(
    data,
    new Map([
      ['a', 0.81],
      ['b', 0.8],
      ['c', 0.5],
      ['d', 0],
    ]),
  );
  expect([...styleOf]).toEqual([0, 1, 2, 2, 3]);
  expect(styles.map(({ count }) => count)).toEqual([1, 1, 2, 1]);
  expect(new Set(styles.map(({ shape }) => shape)).size).toBe(4);
});

test('draws background points first and highlighted points last', () => {
  const styles = themeStyles({
    data: [point('a', 0), point('b', null), point('c', 0), point('d', null)],
    clusters: [{ cluster_id: 0, issues: 2, name: null }],
  });
  expect([...drawingOrder(styles, null)]).toEqual([1, 3, 0, 2]);
  expect([...drawingOrder(styles, Uint8Array.of(1, 1, 0, 0))]).toEqual([3, 2, 1, 0]);
});

test('places the name of a theme at one of its points, unless the point is outside the window', () => {
  const map = {
    data: [point('a', 0, 0, 0), point('b', 0, 1, 0), point('c', 0, 9, 9), point('d', 1, 1, 0)],
    clusters: [
      { cluster_id: 0, issues: 3, name: 'login' },
      { cluster_id: 1, issues: 1, name: 'logout' },
    ],
  };
  const labels = themeLabels(map.data, themeStyles(map));
  expect(labels).toEqual([
    { text: 'login', at: map.data[1] },
    { text: 'logout', at: map.data[3] },
  ]);
  const at = { view: { x: 100, y: 100, scale: 10 }, size: { width: 400, height: 200 }, radius: 5 };
  expect(placeLabels(labels, map.data, at)[0]).toEqual({ text: 'login', at: { x: 110, y: 84 } });
  expect(placeLabels(labels, map.data, { ...at, view: { ...at.view, x: -900 } })).toEqual([]);
});

test('places theme names without overlap so that they cover as few points as possible', () => {
  const at = { view: { x: 100, y: 100, scale: 1 }, size: { width: 200, height: 200 }, radius: 5 };
  const [middle, above, below, right] = [
    { x: 0, y: 0 },
    { x: 8, y: 18 },
    { x: -8, y: -18 },
    { x: 24, y: 0 },
  ];
  const login = { text: 'login', at: middle };
  const placesOf = (points: { x: number; y: number }[], labels = [login]) =>
    placeLabels(labels, [middle, ...points], at).map((label) => label.at);
  expect(placesOf([])).toEqual([{ x: 100, y: 84 }]);
  expect(placesOf([above])).toEqual([{ x: 100, y: 121 }]);
  expect(placesOf([above, below])).toEqual([{ x: 125.5, y: 103 }]);
  expect(placesOf([above, below, right])).toEqual([{ x: 74.5, y: 103 }]);
  const many = Array.from({ length: 9 }, (_, index) => ({ ...login, text: `log${index}` }));
  expect(placesOf([], many)).toHaveLength(4);
});
