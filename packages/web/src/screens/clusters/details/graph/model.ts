import { type ClusterDetail, MAX_DRAWN_MEMBERS } from '@winnow/contract/cluster';
import { shortIssueKey, splitIssueKey } from '../../../../features/issues/issue-key-parts.ts';
import { type Point, placeMembers } from './layout.ts';

type Edge = ClusterDetail['edges'][number];

/** Maximum characters of a project name in a label. */
const MAX_PROJECT_CHARS = 8;
/**
 * Maximum number of issues for which labels include the project. With more issues, labels show only
 * the number.
 */
const MAX_LONG_LABELS = 8;

export type DrawnIssue = {
  id: string;
  label: string;
  position: Point;
  canonical: boolean;
  closed: boolean;
};
type DrawnLink = { edge: Edge; from: Point; to: Point; weakest: boolean };

export type DrawnCluster = {
  issues: readonly DrawnIssue[];
  /** Links to draw. The weakest link is last, so that it is drawn above the others. */
  links: readonly DrawnLink[];
  /** The weakest link; undefined if it is not part of the drawing. */
  weakest: DrawnLink | undefined;
  /** Height of the drawing in pixels. */
  height: number;
};

function isSame(one: Edge, other: Edge | null): boolean {
  return one.issue1_id === other?.issue1_id && one.issue2_id === other.issue2_id;
}

/**
 * Selects the issues to draw if the cluster has too many. Prefers the issues of the weakest link,
 * then follows the order of members.
 */
function drawnIds({ members, weakest }: ClusterDetail): Set<string> {
  const ends = weakest === null ? [] : [weakest.issue1_id, weakest.issue2_id];
  const ids = [...ends, ...members.map(({ issue }) => issue.id)];
  return new Set([...new Set(ids)].slice(0, MAX_DRAWN_MEMBERS));
}

/**
 * Creates the drawing of a cluster. If the cluster can be split, its two parts are side by side.
 */
export function drawCluster(cluster: ClusterDetail): DrawnCluster {
  const drawn = drawnIds(cluster);
  const ordered = [...drawn];
  const parts = cluster.split === null ? [ordered] : cluster.split.parts;
  const { positions, height } = placeMembers(
    parts.map((part) => {
      const ofPart = new Set(part);
      return ordered.filter((id) => ofPart.has(id));
    }),
  );
  const isShort = drawn.size > MAX_LONG_LABELS;
  const issues = cluster.members.flatMap(({ issue, is_canonical: canonical }): DrawnIssue[] => {
    const position = positions.get(issue.id);
    if (position === undefined) return [];
    const { number } = splitIssueKey(issue.key);
    const label = isShort && number !== '' ? number : shortIssueKey(issue.key, MAX_PROJECT_CHARS);
    return [{ id: issue.id, label, position, canonical, closed: issue.state === 'closed' }];
  });
  const links = cluster.edges.flatMap((edge): DrawnLink[] => {
    const [from, to] = [positions.get(edge.issue1_id), positions.get(edge.issue2_id)];
    if (from === undefined || to === undefined) return [];
    return [{ edge, from, to, weakest: isSame(edge, cluster.weakest) }];
  });
  return {
    issues,
    links: links.toSorted((one, other) => Number(one.weakest) - Number(other.weakest)),
    weakest: links.find(({ weakest }) => weakest),
    height,
  };
}

/** Describes the drawing of a cluster for screen readers. */
export function drawingText({ members, edges_total: links, split, weakest }: ClusterDetail): string {
  const keys = new Map(members.map(({ issue }) => [issue.id, issue.key]));
  const parts = split === null ? '' : `, in parts of ${split.parts[0].length} and ${split.parts[1].length}`;
  const ends =
    weakest === null
      ? ''
      : `. The weakest link is between ${keys.get(weakest.issue1_id)} and ${keys.get(weakest.issue2_id)}`;
  return `${members.length} issues with ${links} links${parts}${ends}`;
}
