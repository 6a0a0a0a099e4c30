import { queryOptions } from '@tanstack/react-query';
import { changePreview } from '@winnow/contract/change';
import type { PreviewRequest } from '@winnow/contract/preview';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/**
 * Returns a query for the preview of a change. The preview is refetched on mount, but not while it
 * is displayed.
 */
export function previewOptions(request: PreviewRequest) {
  return queryOptions({
    queryKey: queryKeys.previews.of(request),
    queryFn: ({ signal }) =>
      api('POST', '/changes/preview', { body: request, schema: changePreview, signal }),
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}
