import { queryOptions, useQueries } from '@tanstack/react-query';
import { type ChangePreview, changePreview } from '@winnow/contract/change';
import type { Dependency } from '@winnow/contract/dependency';
import type { PreviewRequest } from '@winnow/contract/preview';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { api } from '../../../api/session/session.ts';
import { named } from '../dependency-state.ts';

/**
 * Previews the writes of a commit. Reloads whenever it comes into view, but not while it is
 * visible.
 */
function previewOptions(dependency: Dependency) {
  const request: PreviewRequest = { kind: 'dependency', payload: { dependencies: [named(dependency)] } };
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
 * A dependency with what committing it would write; null while that is being worked out, or why it
 * cannot be committed.
 */
export type Planned = { dependency: Dependency; preview: ChangePreview | null; refusal: string | null };

export type Previews = {
  items: Planned[];
  /** Still being worked out. */
  loading: number;
  /** Asks again for those that were refused. */
  askAgain: (() => void) | null;
};

/** Previews the writes of several commits. */
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
