import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LIKELIHOOD } from '@winnow/contract/duplicate';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { api } from '../../../api/session/session.ts';
import { shareText } from '../../../features/pairs/pair-texts.ts';
import { useMark } from '../../../features/pairs/queries.ts';

/** Minimum probabilities that the user can select, besides the default. */
const PROBABILITY_CHOICES = [0.1, LIKELIHOOD.likely, LIKELIHOOD.reworded, 0.5, LIKELIHOOD.sure, 0.8] as const;

/**
 * Field that selects the minimum probability of the queue. A selection is saved immediately, for
 * all users of the account.
 */
export function MarkField() {
  const cache = useQueryClient();
  const mark = useMark();
  const change = useMutation({
    mutationFn: (chosen: number | null) => api('PUT', '/issue-duplicates/mark', { body: { mark: chosen } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.pairs.all }),
  });
  const shipped = LIKELIHOOD.queue;
  const offered = [...new Set([...PROBABILITY_CHOICES, shipped, mark])].sort((a, b) => a - b);
  return (
    <NativeSelect
      label="Minimum probability of the queue"
      description="Saved for the account: the queue, the sidebar and the charts start at this probability."
      value={String(mark)}
      disabled={change.isPending}
      error={change.isError ? sentenceOf(change.error) : undefined}
      data={offered.map((value) => ({
        value: String(value),
        label: value === shipped ? `${shareText(value)} (default)` : shareText(value),
      }))}
      onChange={({ currentTarget }) => {
        const chosen = Number(currentTarget.value);
        change.mutate(chosen === shipped ? null : chosen);
      }}
    />
  );
}
