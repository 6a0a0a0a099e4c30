import type { IssueMap, MapPoint } from '@winnow/contract/search';
import { scoreTone } from '../../../features/compliance/score.ts';
import type { Shape } from './shapes.ts';

/** How the points of one kind look, and what that means. */
export type Look = {
  label: string;
  count: number;
  /** The token of its color, without the dashes before it. */
  color: string;
  shape: Shape;
  /** Small, and under all others. */
  isBackground: boolean;
};

/** How each point looks: `looks[lookOf[i]]` is that of the i-th. */
export type Looks = { looks: Look[]; lookOf: Uint8Array };

/** Themes that have a look of their own; there are no more colors that people tell apart. */
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

/** Name of a theme: the words its titles share, or that they share none. */
export function themeName({ cluster_id: theme, name }: IssueMap['clusters'][number]): string {
  return name ?? `Theme ${theme + 1} (no common words)`;
}

/** Each of the largest themes in a color and a shape of its own. */
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
  return counted(looks, data, ({ cluster_id: theme }) =>
    theme === null ? named.length + 1 : (lookOfTheme.get(theme) ?? named.length),
  );
}

/** By how good the score is; what was never scored is a ring. */
export function scoreLooks(data: readonly MapPoint[], scoreOf: ReadonlyMap<string, number>): Looks {
  const looks: Look[] = [
    ...SCORE_ORDER.map((tone) => ({ ...SCORE_LOOKS[tone], count: 0, isBackground: false })),
    { label: 'Not scored yet', count: 0, color: 'neutral-mark', shape: 'ring', isBackground: true },
  ];
  return counted(looks, data, ({ issue_id: id }) => {
    const score = scoreOf.get(id);
    return score === undefined ? SCORE_ORDER.length : SCORE_ORDER.indexOf(scoreTone(score));
  });
}

function counted(looks: Look[], data: readonly MapPoint[], lookOf: (point: MapPoint) => number): Looks {
  const chosen = Uint8Array.from(data, lookOf);
  for (const index of chosen) {
    const look = looks[index];
    if (look !== undefined) look.count += 1;
  }
  return { looks, lookOf: chosen };
}
