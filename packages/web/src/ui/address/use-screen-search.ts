import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** A screen's state and the ways to change it. */
export type ScreenNavigation<Search> = {
  search: Search;
  /** Goes to another search; `replace` leaves no entry for Back. */
  go: (next: Search, options?: { replace?: boolean }) => void;
  /** The address of another search, for links. */
  hrefFor: (next: Search) => string;
};

/**
 * The screen's state, which is the address: Back and Forward change it like everything else does. `parse` reads the
 * address, `serialize` writes a search into one whose foreign parameters stay; pass functions of a module.
 */
export function useScreenSearch<Search>(
  parse: (parameters: URLSearchParams) => Search,
  serialize: (search: Search, current: URLSearchParams) => URLSearchParams,
): ScreenNavigation<Search> {
  const [parameters, setParameters] = useSearchParams();
  const search = useMemo(() => parse(parameters), [parse, parameters]);
  return {
    search,
    // Shown at once: as a transition, a step from row to row would wait for whatever else is being drawn.
    go: (next, { replace = false } = {}) =>
      setParameters((current) => serialize(next, current), {
        replace,
        preventScrollReset: true,
        flushSync: true,
      }),
    hrefFor: (next) => `?${serialize(next, parameters)}`,
  };
}
