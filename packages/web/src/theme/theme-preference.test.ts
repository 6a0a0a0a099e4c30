import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { preferenceFor, schemeFor } from './theme-preference.ts';

const script = readFileSync(new URL('../../public/theme.js', import.meta.url), 'utf8');

/** Simulates a browser that runs the theme script in the head of the page. */
class Head {
  readonly #classes = new Set<string>();
  readonly #systemDark = { matches: false, addEventListener: this.#listen.bind(this) };
  #attribute = '';
  #onChange = () => undefined;

  constructor(stored: string | null, pathname: string, systemIsDark: boolean) {
    this.#systemDark.matches = systemIsDark;
    runInNewContext(script, {
      localStorage: { getItem: () => stored },
      location: { pathname },
      matchMedia: () => this.#systemDark,
      document: {
        documentElement: {
          classList: {
            toggle: (name: string, on: boolean) =>
              on ? this.#classes.add(name) : this.#classes.delete(name),
          },
          setAttribute: (_name: string, value: string) => {
            this.#attribute = value;
          },
        },
      },
    });
  }

  #listen(type: string, listener: () => undefined): void {
    if (type === 'change') this.#onChange = listener;
  }

  switchSystem(toDark: boolean): void {
    this.#systemDark.matches = toDark;
    this.#onChange();
  }

  get scheme(): string[] {
    return [...this.#classes, this.#attribute];
  }
}

describe('the theme', () => {
  test('ignores an invalid stored preference', () => {
    expect(preferenceFor('blue', '/console')).toBe('dark');
    expect(preferenceFor('', '/login')).toBe('system');
  });

  test('defaults to dark in the console and to the system on public pages', () => {
    expect(preferenceFor(null, '/console')).toBe('dark');
    expect(preferenceFor(null, '/console/issues')).toBe('dark');
    expect(preferenceFor(null, '/consoles')).toBe('system');
    expect(preferenceFor(null, '/login')).toBe('system');
  });

  test('prefers the stored preference everywhere', () => {
    expect(preferenceFor('light', '/console')).toBe('light');
    expect(schemeFor('system', true)).toBe('dark');
    expect(schemeFor('system', false)).toBe('light');
  });

  test('paints first in the scheme that the application then uses', () => {
    for (const stored of [null, 'light', 'dark', 'system', 'blue']) {
      for (const pathname of ['/', '/login', '/console', '/console/issues', '/consoles']) {
        for (const systemIsDark of [true, false]) {
          const head = new Head(stored, pathname, systemIsDark);
          const schemeOn = (isDark: boolean) => schemeFor(preferenceFor(stored, pathname), isDark);
          expect(head.scheme).toEqual([schemeOn(systemIsDark), schemeOn(systemIsDark)]);
          head.switchSystem(!systemIsDark);
          expect(head.scheme).toEqual([schemeOn(!systemIsDark), schemeOn(!systemIsDark)]);
        }
      }
    }
  });
});
