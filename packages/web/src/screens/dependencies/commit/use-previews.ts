import { queryOptions, useQueries } from '@tanstack/react-query';
import { type ChangePreview, changePreview } from '@winnow/contract/change';
import type { Dependency } from '@winnow/contract/dependency';
import type { PreviewRequest } from '@winnow/contract/preview';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { api } from '../../../api/session/session.ts';
import { dependencyIds } from '../dependency-state.ts';

/**
 * Returns a query for the preview of one commit. It reloads on every mount, but never while
 * displayed.
 */
function previewOptions(dependency: Dependency) {
  const request: PreviewRequest = {
    kind: 'dependency',
    payload: { dependencies: [dependencyIds(dependency)] },
  };
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

/**
 * A dependency with its preview. `preview` is null while it loads; `refusal` says why the
 * dependency cannot be committed.
 */
export type Planned = { dependency: Dependency; preview: ChangePreview | null; refusal: string | null };

export type Previews = {
  items: Planned[];
  /** Number of previews that are still loading. */
  loading: number;
  /** Reloads the failed previews; null if none failed. */
  askAgain: (() => void) | null;
};

/** Loads the previews of several commits. */
export function usePreviews(dependencies: readonly Dependency[]): Previews {
  const previews = useQueries({ queries: dependencies.map(previewOptions) });
  const failed = previews.filter(({ isError }) => isError);
  return {
    items: dependencies.map((dependency, index) => {
      const { data, error, isFetching } = previews[index] ?? {};
      return {
        dependency,
        preview: isFetching === true ? null : (data ?? null),
        refusal: error ? sentenceOf(error) : null,
      };
    }),
    loading: previews.filter(({ isFetching }) => isFetching).length,
    askAgain: failed.length === 0 ? null : () => failed.forEach((preview) => void preview.refetch()),
  };
}
