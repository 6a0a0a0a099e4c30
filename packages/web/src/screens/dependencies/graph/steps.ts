import type { DrawnGraph, DrawnIssue } from './model.ts';

/** Direction of a pressed arrow key. */
export type Step = 'left' | 'right' | 'up' | 'down';

/**
 * Returns the id of the next issue in the direction of an arrow key. Null if no issue is in this
 * direction. Left and right follow an edge to the nearest issue. Up and down move within the
 * column, and then to the adjacent column.
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

/** Returns the ids of all issues, column by column, from top to bottom. */
export function readingOrder(issues: readonly DrawnIssue[]): string[] {
  return issues
    .toSorted(({ position: one }, { position: other }) => one.x - other.x || one.y - other.y)
    .map(({ issue }) => issue.id);
}
