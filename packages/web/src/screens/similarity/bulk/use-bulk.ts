import { useQueries } from '@tanstack/react-query';
import type { ChangePreview } from '@winnow/contract/change';
import type { Pair } from '@winnow/contract/duplicate';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { pairKeyOf } from '../../../features/pairs/pair-key.ts';
import { needsVerdict, useVerdicts } from '../../../features/verdicts/queries.ts';
import { previewOptions } from '../../../features/write-dialog/preview-options.ts';
import { type LeftOutPair, type PlannedClose, planCloses } from './plan.ts';

/** Actions that can be carried out on several pairs. */
export type BulkKind = 'close' | 'unrelated' | 'dismiss';

/**
 * A pair of a bulk action. `preview` is null while it loads, and if nothing is written to a
 * tracker.
 */
export type BulkItem = { pair: Pair; choice: PlannedClose['choice'] | null; preview: ChangePreview | null };

export type BulkPlan = {
  items: BulkItem[];
  leftOut: LeftOutPair[];
  /** Number of pairs whose preview or verdict is still loading. */
  loading: number;
  /** Loads failed previews again; null if none failed. */
  askAgain: (() => void) | null;
};

/** Plans a bulk action: returns the writes for each pair, and the skipped pairs. */
export function useBulkPlan(kind: BulkKind, pairs: readonly Pair[]): BulkPlan {
  const verdictOn = useVerdicts(kind === 'close' ? pairs : []);
  const isUnrelated = (pair: Pair) => {
    const verdict = verdictOn(pair);
    return verdict !== null && verdict !== 'failed' && verdict.decision === 'unrelated';
  };
  const planned = kind === 'close' ? planCloses(pairs, isUnrelated) : { closes: [], leftOut: [] };
  const previews = useQueries({
    queries: planned.closes.map(({ pair, choice }) =>
      previewOptions({ kind: 'resolution', payload: { ...pairKeyOf(pair), resolution: choice } }),
    ),
  });
  if (kind !== 'close') {
    const items = pairs.map((pair) => ({ pair, choice: null, preview: null }));
    return { items, leftOut: [], loading: 0, askAgain: null };
  }
  const items: BulkItem[] = [];
  const refused: LeftOutPair[] = [];
  for (const [index, close] of planned.closes.entries()) {
    const { data, error } = previews[index] ?? {};
    if (error) refused.push({ pair: close.pair, reason: sentenceOf(error) });
    else items.push({ ...close, preview: data ?? null });
  }
  const failed = previews.filter(({ isError }) => isError);
  return {
    items,
    leftOut: [...refused, ...planned.leftOut],
    loading: planned.closes.filter(
      ({ pair }, index) => previews[index]?.isFetching || (needsVerdict(pair) && verdictOn(pair) === null),
    ).length,
    askAgain: failed.length === 0 ? null : () => failed.forEach((preview) => void preview.refetch()),
  };
}
