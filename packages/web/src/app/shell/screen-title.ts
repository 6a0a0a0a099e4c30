import { useMatches } from 'react-router';

const PRODUCT = 'Winnow';

/** Title of the deepest matching route; empty if there is none. */
export function useScreenTitle(): string {
  const matches = useMatches();
  for (const { handle, params } of matches.toReversed()) {
    if (typeof handle !== 'object' || handle === null || !('title' in handle)) continue;
    return String(typeof handle.title === 'function' ? handle.title(params) : handle.title);
  }
  return '';
}

/** Returns the title of the browser tab. */
export function documentTitle(screen: string): string {
  return screen === '' ? PRODUCT : `${screen} · ${PRODUCT}`;
}
