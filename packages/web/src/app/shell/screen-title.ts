import { useMatches } from 'react-router';

const PRODUCT = 'Winnow';

/** The title that the deepest matching route gives its screen; empty when none does. */
export function useScreenTitle(): string {
  const matches = useMatches();
  for (const { handle, params } of matches.toReversed()) {
    if (typeof handle !== 'object' || handle === null || !('title' in handle)) continue;
    return String(typeof handle.title === 'function' ? handle.title(params) : handle.title);
  }
  return '';
}

/** How a screen is called in the browser's tab. */
export function documentTitle(screen: string): string {
  return screen === '' ? PRODUCT : `${screen} · ${PRODUCT}`;
}
