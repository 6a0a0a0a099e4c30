import type { ExecutionLog } from '@winnow/contract/flow';

/** Both together in their order, each entry once. */
export function withEntries(held: readonly ExecutionLog[], more: readonly ExecutionLog[]): ExecutionLog[] {
  const last = held.at(-1)?.seq ?? 0;
  if (more.every(({ seq }, index) => seq === last + index + 1)) return [...held, ...more];
  const bySeq = new Map([...held, ...more].map((entry) => [entry.seq, entry]));
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
}
