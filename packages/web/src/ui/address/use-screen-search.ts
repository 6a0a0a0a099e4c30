import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** The state of a screen and functions that change it. */
export type ScreenNavigation<Search> = {
  search: Search;
  /** Navigates to another search. `replace` adds no history entry. */
  go: (next: Search, options?: { replace?: boolean }) => void;
  /** Returns the address of another search, for links. */
  hrefFor: (next: Search) => string;
};

/**
 * Keeps the state of a screen in the address, so that Back and Forward work. `parse` reads the
 * query parameters, and `serialize` writes a search into them and keeps foreign parameters. Both
 * must be stable functions, not created while rendering.
 */
export function useScreenSearch<Search>(
  parse: (parameters: URLSearchParams) => Search,
  serialize: (search: Search, current: URLSearchParams) => URLSearchParams,
): ScreenNavigation<Search> {
  const [parameters, setParameters] = useSearchParams();
  const search = useMemo(() => parse(parameters), [parse, parameters]);
  return {
    search,
    // Renders synchronously: in a transition, a step to the next row would wait for other
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
