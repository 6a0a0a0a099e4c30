import type { Emit } from '../run.ts';

/** Emits the 95th percentile and the median of `times` in milliseconds. */
export function emitTimes(
  emit: Emit,
  name: string,
  times: readonly number[],
  detail: Record<string, unknown>,
): void {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => hundredths(sorted[Math.floor(sorted.length * share)] ?? 0);
  emit({ name: `${name}, p95`, value: at(0.95), unit: 'ms', detail: { p50: at(0.5), ...detail } });
}

export function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
