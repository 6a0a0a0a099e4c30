import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { type ChangesSearch, parseSearch, serializeSearch } from './search-params.ts';

export type ChangesNavigation = {
  search: ChangesSearch;
  /** Goes to another search; `replace` leaves no entry for Back. */
  go: (next: ChangesSearch, options?: { replace?: boolean }) => void;
  /** The address of another search, for links. */
  hrefFor: (next: ChangesSearch) => string;
};

/** The screen's state, which is the address: Back and Forward change it like everything else does. */
export function useChangesSearch(): ChangesNavigation {
  const [parameters, setParameters] = useSearchParams();
  const search = useMemo(() => parseSearch(parameters), [parameters]);
  return {
    search,
    go: (next, { replace = false } = {}) =>
      setParameters((current) => serializeSearch(next, current), {
        replace,
        preventScrollReset: true,
        flushSync: true,
      }),
    hrefFor: (next) => `?${serializeSearch(next, parameters)}`,
  };
}
