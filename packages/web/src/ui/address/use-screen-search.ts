import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** Search parameters of a screen, and functions that change them. */
export type ScreenNavigation<Search> = {
  search: Search;
  /** Navigates to a new search. `replace` adds no history entry. */
  go: (next: Search, options?: { replace?: boolean }) => void;
  /** Returns the URL of a search, for links. */
  hrefFor: (next: Search) => string;
};

/**
 * Stores the search parameters of a screen in the URL, so that Back and Forward work.
 * `parse` reads the query parameters. `serialize` writes a search into them and does not change
 * other parameters. Both must be stable functions, not created while rendering.
 */
export function useScreenSearch<Search>(
  parse: (parameters: URLSearchParams) => Search,
  serialize: (search: Search, current: URLSearchParams) => URLSearchParams,
): ScreenNavigation<Search> {
  const [parameters, setParameters] = useSearchParams();
  const search = useMemo(() => parse(parameters), [parse, parameters]);
  return {
    search,
    // Renders synchronously. In a transition, a step to the next row would wait for other
    // rendering.
    go: (next, { replace = false } = {}) =>
      setParameters((current) => serialize(next, current), {
        replace,
        preventScrollReset: true,
        flushSync: true,
      }),
    hrefFor: (next) => `?${serialize(next, parameters)}`,
  };
}
