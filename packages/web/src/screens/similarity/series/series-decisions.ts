import type { IssueSeries } from '@winnow/contract/duplicate';
import { queryClient } from '../../../api/query/query-client.ts';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { api } from '../../../api/session/session.ts';
import { showToast } from '../../../ui/toasts/toast.tsx';

async function setDismissed({ id }: IssueSeries, dismissed: boolean): Promise<void> {
  try {
    await api('POST', `/issue-duplicates/series/${id}/${dismissed ? 'dismiss' : 'restore'}`);
  } finally {
    void queryClient.invalidateQueries({ queryKey: queryKeys.pairs.all });
  }
}

/** Dismisses the pairs of a series, those found later too. Shows the result and offers Undo. */
export async function dismissSeries(series: IssueSeries): Promise<void> {
  try {
    await setDismissed(series, true);
    showToast({
      id: series.id,
      kind: 'done',
      text: `Dismissed the series “${series.frame}”.`,
      action: { label: 'Undo', run: () => void restoreSeries(series) },
    });
  } catch (error) {
    showToast({ id: series.id, kind: 'failed', text: sentenceOf(error) });
  }
}

/** Lists the pairs of a dismissed series again and shows the result. */
export async function restoreSeries(series: IssueSeries): Promise<void> {
  try {
    await setDismissed(series, false);
    showToast({ id: series.id, kind: 'undone', text: `The series “${series.frame}” is listed again.` });
  } catch (error) {
    showToast({ id: series.id, kind: 'failed', text: sentenceOf(error) });
  }
}
