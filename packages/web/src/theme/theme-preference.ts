/** Theme preferences. `system` follows the operating system while the page is open. */
export const THEME_PREFERENCES = ['light', 'dark', 'system'] as const;
export type ThemePreference = (typeof THEME_PREFERENCES)[number];
export type Scheme = 'light' | 'dark';

/** Key in `localStorage` under which the preference is stored. */
export const THEME_STORAGE_KEY = 'theme';

function isThemePreference(value: string | null): value is ThemePreference {
  return THEME_PREFERENCES.some((preference) => preference === value);
}

/**
 * Returns the stored preference. Without one, returns `dark` in the console and `system` on public
 * pages. `public/theme.js` applies the same rule before the first paint.
 */
export function preferenceFor(stored: string | null, pathname: string): ThemePreference {
  if (isThemePreference(stored)) return stored;
  return /^\/console(\/|$)/.test(pathname) ? 'dark' : 'system';
}

/** Returns the color scheme, `light` or `dark`, for a preference. */
export function schemeFor(preference: ThemePreference, systemIsDark: boolean): Scheme {
  if (preference !== 'system') return preference;
  return systemIsDark ? 'dark' : 'light';
}
