import type { Emit } from '../run.ts';

/** Emits the 95th percentile and the median of `times`, in milliseconds. */
export function emitTimes(
  emit: Emit,
  name: string,
  times: readonly number[],
  detail: Record<string, unknown>,
): void {
  const { p50, p95 } = percentiles(times);
  emit({ name: `${name}, p95`, value: p95, unit: 'ms', detail: { p50, ...detail } });
}

/** Returns the median and the 95th percentile, rounded to hundredths. */
export function percentiles(times: readonly number[]): { p50: number; p95: number } {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => hundredths(sorted[Math.floor(sorted.length * share)] ?? 0);
  return { p50: at(0.5), p95: at(0.95) };
}

export function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
