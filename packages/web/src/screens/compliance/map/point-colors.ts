import type { IssueMap, MapPoint } from '@winnow/contract/search';
import { scoreTone } from '../../../features/compliance/score.ts';
import type { Shape } from './shapes.ts';

/** Appearance of a group of points, with its legend label and count. */
export type Look = {
  label: string;
  count: number;
  /** Name of the CSS color variable without the leading dashes. */
  color: string;
  shape: Shape;
  /** True for groups drawn small and below all others. */
  isBackground: boolean;
};

/** Appearance of each point: point `i` has `looks[lookOf[i]]`. */
export type Looks = { looks: Look[]; lookOf: Uint8Array };

/** Looks of the largest themes. People cannot distinguish more colors than these. */
const THEME_LOOKS: readonly Pick<Look, 'color' | 'shape'>[] = [
  { color: 'map-1', shape: 'disc' },
  { color: 'map-2', shape: 'square' },
  { color: 'map-3', shape: 'triangle' },
  { color: 'map-4', shape: 'diamond' },
  { color: 'map-5', shape: 'disc' },
  { color: 'map-6', shape: 'square' },
  { color: 'map-7', shape: 'triangle' },
  { color: 'map-8', shape: 'diamond' },
];
const SCORE_LOOKS: Record<ReturnType<typeof scoreTone>, Pick<Look, 'label' | 'color' | 'shape'>> = {
  success: { label: 'Above 80%', color: 'success-mark', shape: 'disc' },
  warning: { label: 'Above 50%', color: 'warning-mark', shape: 'diamond' },
  danger: { label: '50% or less', color: 'danger-mark', shape: 'triangle' },
};
const SCORE_ORDER = ['success', 'warning', 'danger'] as const;

/** Returns the words that the titles of a theme share, or a numbered name if they share none. */
export function themeName({ cluster_id: theme, name }: IssueMap['clusters'][number]): string {
  return name ?? `Theme ${theme + 1} (no common words)`;
}

/** Assigns a color and shape to each of the largest themes. */
export function themeLooks({ data, clusters }: Pick<IssueMap, 'data' | 'clusters'>): Looks {
  const named = clusters.slice(0, THEME_LOOKS.length);
  const rest = clusters.length - named.length;
  const looks: Look[] = [
    ...named.map((theme, index) => ({
      ...(THEME_LOOKS[index] ?? { color: 'map-1', shape: 'disc' as const }),
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
  const lookOfTheme = new Map(
    clusters.map(({ cluster_id }, index) => [cluster_id, Math.min(index, named.length)]),
  );
  return withCounts(looks, data, ({ cluster_id: theme }) =>
    theme === null ? named.length + 1 : (lookOfTheme.get(theme) ?? named.length),
  );
}

/** Assigns looks by score. Unscored issues are rings. */
export function scoreLooks(data: readonly MapPoint[], scoreOf: ReadonlyMap<string, number>): Looks {
  const looks: Look[] = [
    ...SCORE_ORDER.map((tone) => ({ ...SCORE_LOOKS[tone], count: 0, isBackground: false })),
    { label: 'Not scored yet', count: 0, color: 'neutral-mark', shape: 'ring', isBackground: true },
  ];
  return withCounts(looks, data, ({ issue_id: id }) => {
    const score = scoreOf.get(id);
    return score === undefined ? SCORE_ORDER.length : SCORE_ORDER.indexOf(scoreTone(score));
  });
}

function withCounts(looks: Look[], data: readonly MapPoint[], lookOf: (point: MapPoint) => number): Looks {
  const chosen = Uint8Array.from(data, lookOf);
  for (const index of chosen) {
    const look = looks[index];
    if (look !== undefined) look.count += 1;
  }
  return { looks, lookOf: chosen };
}
