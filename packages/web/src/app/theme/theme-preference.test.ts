import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { preferenceFor, schemeFor } from './theme-preference.ts';

const script = readFileSync(new URL('../../../public/theme.js', import.meta.url), 'utf8');

/** What the script of the page's head makes of a browser, before anything else runs. */
function firstPaint(stored: string | null, pathname: string, systemIsDark: boolean): string[] {
  const applied: string[] = [];
  runInNewContext(script, {
    localStorage: { getItem: () => stored },
    location: { pathname },
    matchMedia: () => ({ matches: systemIsDark }),
    document: {
      documentElement: {
        classList: { add: (name: string) => applied.push(name) },
        setAttribute: (_name: string, value: string) => applied.push(value),
      },
    },
  });
  return applied;
}

describe('the theme', () => {
  test('what is stored but no choice of ours does not count', () => {
    expect(preferenceFor('blue', '/console')).toBe('dark');
    expect(preferenceFor('', '/login')).toBe('system');
  });

  test('without a choice the console is dark and public pages follow the system', () => {
    expect(preferenceFor(null, '/console')).toBe('dark');
    expect(preferenceFor(null, '/console/issues')).toBe('dark');
    expect(preferenceFor(null, '/consoles')).toBe('system');
    expect(preferenceFor(null, '/login')).toBe('system');
  });

  test('a choice wins everywhere', () => {
    expect(preferenceFor('light', '/console')).toBe('light');
    expect(schemeFor('system', true)).toBe('dark');
    expect(schemeFor('system', false)).toBe('light');
  });

  test('the first paint is in the scheme that the application then shows', () => {
    for (const stored of [null, 'light', 'dark', 'system', 'blue']) {
      for (const pathname of ['/', '/login', '/console', '/console/issues', '/consoles']) {
        for (const systemIsDark of [true, false]) {
          const scheme = schemeFor(preferenceFor(stored, pathname), systemIsDark);
          expect(firstPaint(stored, pathname, systemIsDark)).toEqual([scheme, scheme]);
        }
      }
    }
  });
});
