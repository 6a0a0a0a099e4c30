import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { changePreview } from '@winnow/contract/change';
import type { PreviewRequest } from '@winnow/contract/preview';
import { queryKeys } from '../../api/query/query-keys.ts';
import { pause, TYPING_PAUSE_MS } from '../../api/query/typing-pause.ts';
import { api } from '../../api/session/session.ts';

/**
 * Cache time of previews for texts that are being edited. It is short, because each keystroke
 * creates a preview that is not reused.
 */
const TYPED_PREVIEW_GC_MS = 10_000;

/**
 * Previews a change while its texts are edited. `request` is null if there is nothing to write.
 * Returns the previous preview as placeholder until the new preview is loaded. If `typing` is true,
 * waits for a pause in typing.
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
    gcTime: TYPED_PREVIEW_GC_MS,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}
