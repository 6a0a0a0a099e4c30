import { useQueries } from '@tanstack/react-query';
import type { ChangePreview } from '@winnow/contract/change';
import type { Dependency } from '@winnow/contract/dependency';
import type { PreviewRequest } from '@winnow/contract/preview';
import { sentenceOf } from '../../../api/session/api-error.ts';
import { previewOptions } from '../../../features/write-dialog/preview-options.ts';
import { dependencyIds } from '../dependency-state.ts';

function commitOf(dependency: Dependency): PreviewRequest {
  return { kind: 'dependency', payload: { dependencies: [dependencyIds(dependency)] } };
}

/**
 * A dependency with the preview of its writes. `preview` is null while loading. `refusal` states
 * why the dependency cannot be committed.
 */
export type PlannedCommit = { dependency: Dependency; preview: ChangePreview | null; refusal: string | null };

export type Previews = {
  items: PlannedCommit[];
  /** Number of previews that are still loading. */
  loading: number;
  /** Loads failed previews again; null if none failed. */
  askAgain: (() => void) | null;
};

/** Loads the previews of committing each dependency. */
export function usePreviews(dependencies: readonly Dependency[]): Previews {
  const previews = useQueries({ queries: dependencies.map((each) => previewOptions(commitOf(each))) });
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
