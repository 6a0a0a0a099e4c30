import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { changePreview } from '@winnow/contract/change';
import type { PreviewRequest } from '@winnow/contract/preview';
import { queryKeys } from '../../api/query/query-keys.ts';
import { pause, TYPING_PAUSE_MS } from '../../api/query/typing-pause.ts';
import { api } from '../../api/session/session.ts';

/** Each letter typed is a preview of its own, which nobody looks at again. */
const TYPED_KEPT_MS = 10_000;

/**
 * What a change would write with texts that are being edited; null while there is nothing to write. The preview before
 * stays, as `isPlaceholderData`, until the new one is there. With `typing` it waits for a pause.
 */
export function useEditedPreview(request: PreviewRequest | null, typing: boolean) {
  return useQuery({
    queryKey: [...queryKeys.previews.all, request],
    queryFn: async ({ signal }) => {
      if (typing) await pause(TYPING_PAUSE_MS, signal);
      return api('POST', '/changes/preview', { body: request, schema: changePreview, signal });
    },
    enabled: request !== null,
    placeholderData: keepPreviousData,
    gcTime: TYPED_KEPT_MS,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}
