import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { parseSearch, type SimilaritySearch, serializeSearch } from './search-params.ts';

export type SearchNavigation = {
  search: SimilaritySearch;
  /** Goes to another search; `replace` leaves no entry for Back. */
  go: (next: SimilaritySearch, options?: { replace?: boolean }) => void;
  /** The address of another search, for links. */
  hrefFor: (next: SimilaritySearch) => string;
};

/** The screen's state, which is the address: Back and Forward change it like everything else does. */
export function useSimilaritySearch(): SearchNavigation {
  const [parameters, setParameters] = useSearchParams();
  const search = useMemo(() => parseSearch(parameters), [parameters]);
  return {
    search,
    // Shown at once: as a transition, a step from pair to pair would wait for whatever else is being drawn.
    go: (next, { replace = false } = {}) =>
      setParameters((current) => serializeSearch(next, current), {
        replace,
        preventScrollReset: true,
        flushSync: true,
      }),
    hrefFor: (next) => `?${serializeSearch(next, parameters)}`,
  };
}
