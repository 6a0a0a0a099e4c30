/** Theme preferences. `system` follows the operating system while the page is open. */
export const THEME_PREFERENCES = ['light', 'dark', 'system'] as const;
export type ThemePreference = (typeof THEME_PREFERENCES)[number];
export type Scheme = 'light' | 'dark';

/** Key of the preference in `localStorage`. */
export const THEME_STORAGE_KEY = 'theme';

function isThemePreference(value: string | null): value is ThemePreference {
  return THEME_PREFERENCES.some((preference) => preference === value);
}

/**
 * Returns the effective preference: the stored one, otherwise `dark` in the console and `system` on
 * public pages. `public/theme.js` applies the same rule before the first paint.
 */
export function preferenceFor(stored: string | null, pathname: string): ThemePreference {
  if (isThemePreference(stored)) return stored;
  return /^\/console(\/|$)/.test(pathname) ? 'dark' : 'system';
}

/** Resolves a preference to a scheme. */
export function schemeFor(preference: ThemePreference, systemIsDark: boolean): Scheme {
  if (preference !== 'system') return preference;
  return systemIsDark ? 'dark' : 'light';
}
