import { useSyncExternalStore } from 'react';
import {
  preferenceFor,
  type Scheme,
  schemeFor,
  THEME_STORAGE_KEY,
  type ThemePreference,
} from './theme-preference.ts';

export type ThemeState = { preference: ThemePreference; scheme: Scheme };

const listeners = new Set<() => void>();
const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
let state = read();

function readStored(): string | null {
  try {
    return window.localStorage.getItem(THEME_STORAGE_KEY);
  } catch {
    return null;
  }
}

function read(): ThemeState {
  const preference = preferenceFor(readStored(), window.location.pathname);
  return { preference, scheme: schemeFor(preference, systemDark.matches) };
}

/**
 * Reads the stored preference and applies its color scheme to the root element.
 * Call it after every navigation, because the console and the public pages have different defaults.
 */
export function refreshTheme(): void {
  const next = read();
  const root = document.documentElement;
  root.classList.toggle('dark', next.scheme === 'dark');
  root.classList.toggle('light', next.scheme === 'light');
  root.setAttribute('data-mantine-color-scheme', next.scheme);
  if (next.preference === state.preference && next.scheme === state.scheme) return;
  state = next;
  for (const listener of listeners) listener();
}

/** Stores the preference and applies it in all tabs. */
export function chooseTheme(preference: ThemePreference): void {
  try {
    window.localStorage.setItem(THEME_STORAGE_KEY, preference);
  } catch {
    // If storage is full or disabled, the preference applies only to this page.
    state = { preference, scheme: schemeFor(preference, systemDark.matches) };
  }
  refreshTheme();
}

/**
 * Reacts to changes of the system's color scheme, and to changes of the preference in other tabs.
 * Call once; it runs until the page closes.
 */
export function watchTheme(): void {
  systemDark.addEventListener('change', refreshTheme);
  window.addEventListener('storage', (event) => {
    if (event.key === THEME_STORAGE_KEY || event.key === null) refreshTheme();
  });
  refreshTheme();
}

/** Returns the current preference and the color scheme that results from it. */
export function themeState(): ThemeState {
  return state;
}

/**
 * Calls `listener` when the preference or the color scheme changes. Returns the unsubscribe
 * function.
 */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns {@link themeState} and renders again when it changes. */
export function useTheme(): ThemeState {
  return useSyncExternalStore(onThemeChange, themeState);
}
