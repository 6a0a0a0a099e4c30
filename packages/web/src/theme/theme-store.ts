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
 * Reads the preference again and applies its scheme to the root element. Called after every
 * navigation as well, because the console and public pages have different defaults.
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
    // Storage is full or disabled, so the preference only applies to this page.
    state = { preference, scheme: schemeFor(preference, systemDark.matches) };
  }
  refreshTheme();
}

/** Follows the system and other tabs for the lifetime of the page. Call once. */
export function watchTheme(): void {
  systemDark.addEventListener('change', refreshTheme);
  window.addEventListener('storage', (event) => {
    if (event.key === THEME_STORAGE_KEY || event.key === null) refreshTheme();
  });
  refreshTheme();
}

/** Returns the current preference and the scheme it resolves to. */
export function themeState(): ThemeState {
  return state;
}

/** Calls `listener` on every change. Returns the unsubscribe function. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Subscribes to {@link themeState}. */
export function useTheme(): ThemeState {
  return useSyncExternalStore(onThemeChange, themeState);
}
