import type { DrawnGraph, DrawnIssue } from './model.ts';

/** Direction of an arrow key. */
export type Step = 'left' | 'right' | 'up' | 'down';

/**
 * Returns the issue that an arrow key leads to; null if there is none. Left and right follow an
 * edge to the nearest issue. Up and down move within the column, then to the adjacent column.
 */
export function stepFrom({ issues, edges }: DrawnGraph, id: string, step: Step): string | null {
  const positionOf = new Map(issues.map(({ issue, position }) => [issue.id, position]));
  const from = positionOf.get(id);
  if (from === undefined) return null;
  if (step === 'left' || step === 'right') {
    const linked = edges.flatMap(({ edge: { source_issue_id: source, dependent_issue_id: dependent } }) => {
      if (source === dependent) return [];
      if (step === 'right') return source === id ? [dependent] : [];
      return dependent === id ? [source] : [];
    });
    const distance = (other: string) => Math.abs((positionOf.get(other)?.y ?? 0) - from.y);
    return linked.toSorted((one, other) => distance(one) - distance(other))[0] ?? null;
  }
  const inOrder = readingOrder(issues);
  return inOrder[inOrder.indexOf(id) + (step === 'down' ? 1 : -1)] ?? null;
}

/** Returns issue ids column by column, each from top to bottom. */
export function readingOrder(issues: readonly DrawnIssue[]): string[] {
  return issues
    .toSorted(({ position: one }, { position: other }) => one.x - other.x || one.y - other.y)
    .map(({ issue }) => issue.id);
}
