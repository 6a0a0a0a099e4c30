/** B³ precision and recall, and their harmonic mean (Bagga and Baldwin 1998). */
export interface BCubed {
  precision: number;
  recall: number;
  f1: number;
}

/**
 * Computes B³ over the tested issues that have a label.
 * Labels are incomplete, so an issue without a label may be in the right cluster. Such issues are
 * ignored. An issue that is in no cluster counts as a cluster of one.
 */
export function bCubed(
  clusters: readonly (readonly string[])[],
  groups: readonly (readonly string[])[],
  isTested: (id: string) => boolean = () => true,
): BCubed {
  const groupOf = bySharedMember(groups.filter(({ length }) => length > 1));
  const clusterOf = bySharedMember(clusters);
  let [precision, recall, count] = [0, 0, 0];
  for (const [id, group] of groupOf) {
    if (!isTested(id)) continue;
    const labelled = (clusterOf.get(id) ?? [id]).filter((other) => groupOf.has(other));
    const right = labelled.filter((other) => groupOf.get(other) === group).length;
    precision += right / labelled.length;
    recall += right / group.length;
    count += 1;
  }
  precision /= count;
  recall /= count;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

function bySharedMember(lists: readonly (readonly string[])[]): Map<string, readonly string[]> {
  return new Map(lists.flatMap((list) => list.map((id) => [id, list] as const)));
}
