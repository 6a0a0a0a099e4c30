import type { ExecutionLog } from '@winnow/contract/flow';

/** Merges two sorted lists of log entries. Entries in both lists are included once. */
export function mergeEntries(
  current: readonly ExecutionLog[],
  more: readonly ExecutionLog[],
): ExecutionLog[] {
  const last = current.at(-1)?.seq ?? 0;
  if (more.every(({ seq }, index) => seq === last + index + 1)) return [...current, ...more];
  const bySeq = new Map([...current, ...more].map((entry) => [entry.seq, entry]));
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
}
