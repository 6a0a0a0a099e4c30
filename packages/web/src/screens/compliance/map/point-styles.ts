import type { IssueMap, MapPoint } from '@winnow/contract/search';
import { scoreTone } from '../../../features/compliance/score.ts';
import type { Shape } from './shapes.ts';

/** Style of a group of points, with its label in the legend and the number of points. */
export type PointStyle = {
  label: string;
  count: number;
  /** Name of the CSS variable of the color, without the leading dashes. */
  color: string;
  shape: Shape;
  /** True if the points are drawn small and below all other points. */
  isBackground: boolean;
};

/** Styles of all points. Point `i` has the style `styles[styleOf[i]]`. */
export type PointStyles = { styles: PointStyle[]; styleOf: Uint8Array };

/** Styles of the largest themes. More colors would be hard to distinguish. */
const THEME_STYLES: readonly Pick<PointStyle, 'color' | 'shape'>[] = [
  { color: 'map-1', shape: 'disc' },
  { color: 'map-2', shape: 'square' },
  { color: 'map-3', shape: 'triangle' },
  { color: 'map-4', shape: 'diamond' },
  { color: 'map-5', shape: 'disc' },
  { color: 'map-6', shape: 'square' },
  { color: 'map-7', shape: 'triangle' },
  { color: 'map-8', shape: 'diamond' },
];
const SCORE_STYLES: Record<ReturnType<typeof scoreTone>, Pick<PointStyle, 'label' | 'color' | 'shape'>> = {
  success: { label: 'Above 80%', color: 'success-mark', shape: 'disc' },
  warning: { label: 'Above 50%', color: 'warning-mark', shape: 'diamond' },
  danger: { label: '50% or less', color: 'danger-mark', shape: 'triangle' },
};
const SCORE_ORDER = ['success', 'warning', 'danger'] as const;

/**
 * Returns the words that the titles of a theme have in common. Without common words, returns a
 * numbered name.
 */
export function themeName({ cluster_id: theme, name }: IssueMap['clusters'][number]): string {
  return name ?? `Theme ${theme + 1} (no common words)`;
}

/** Assigns a color and a shape to the points of each of the largest themes. */
export function themeStyles({ data, clusters }: Pick<IssueMap, 'data' | 'clusters'>): PointStyles {
  const named = clusters.slice(0, THEME_STYLES.length);
  const rest = clusters.length - named.length;
  const styles: PointStyle[] = [
    ...named.map((theme, index) => ({
      ...(THEME_STYLES[index] ?? { color: 'map-1', shape: 'disc' as const }),
      label: themeName(theme),
      count: 0,
      isBackground: false,
    })),
    {
      label: rest === 1 ? '1 smaller theme' : `${rest} smaller themes`,
      count: 0,
      color: 'neutral-mark',
      shape: 'disc',
      isBackground: true,
    },
    { label: 'No theme', count: 0, color: 'neutral-mark', shape: 'ring', isBackground: true },
  ];
  const styleOfTheme = new Map(
    clusters.map(({ cluster_id }, index) => [cluster_id, Math.min(index, named.length)]),
  );
  return withCounts(styles, data, ({ cluster_id: theme }) =>
    theme === null ? named.length + 1 : (styleOfTheme.get(theme) ?? named.length),
  );
}

/** Assigns styles to points by score. Unscored issues are displayed as rings. */
export function scoreStyles(data: readonly MapPoint[], scoreOf: ReadonlyMap<string, number>): PointStyles {
  const styles: PointStyle[] = [
    ...SCORE_ORDER.map((tone) => ({ ...SCORE_STYLES[tone], count: 0, isBackground: false })),
    { label: 'Not scored yet', count: 0, color: 'neutral-mark', shape: 'ring', isBackground: true },
  ];
  return withCounts(styles, data, ({ issue_id: id }) => {
    const score = scoreOf.get(id);
    return score === undefined ? SCORE_ORDER.length : SCORE_ORDER.indexOf(scoreTone(score));
  });
}

function withCounts(
  styles: PointStyle[],
  data: readonly MapPoint[],
  styleOf: (point: MapPoint) => number,
): PointStyles {
  const chosen = Uint8Array.from(data, styleOf);
  for (const index of chosen) {
    const style = styles[index];
    if (style !== undefined) style.count += 1;
  }
  return { styles, styleOf: chosen };
}
