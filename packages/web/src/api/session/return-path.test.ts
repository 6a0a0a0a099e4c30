import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rememberReturnPath, safeReturnPath, takeReturnPath } from './return-path.ts';

function memoryStorage(stored?: string) {
  const held = new Map<string, string>(stored === undefined ? [] : [['loginRedirectPath', stored]]);
  return {
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, value: string) => void held.set(name, value),
    removeItem: (name: string) => void held.delete(name),
  };
}

describe('the way back after signing in', () => {
  test.each([
    null,
    '',
    'console',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\tx/../..//evil.example',
    '/\n/evil.example',
    'https://evil.example/console',
    'javascript:alert(1)',
    ' /console',
    '/',
    '/login',
    '/login?x=1',
    '/register',
    '/..//evil.example',
    '/./..//evil.example/x',
  ])('%j leads nowhere', (path) => {
    expect(safeReturnPath(path)).toBeNull();
  });

  test.each([
    '/console',
    '/console/issues?status=all&page=2#top',
    '/console/issues?back=//evil.example',
    '/loginx',
  ])('%s is kept as it is', (path) => {
    expect(safeReturnPath(path)).toBe(path);
  });

  test('whatever is stored, the answer stays on our origin', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', '/', '//', '/\\', '/.', '/..//'),
        (rest, start) => {
          const safe = safeReturnPath(`${start}${rest}`);
          if (safe === null) return;
          expect(new URL(safe, 'https://winnow.example').origin).toBe('https://winnow.example');
          expect(safe).toMatch(/^\/(?!\/)/);
        },
      ),
    );
  });

  test('a path longer than any of ours leads nowhere', () => {
    expect(safeReturnPath(`/console?x=${'a'.repeat(3000)}`)).toBeNull();
  });

  test('is forgotten once taken', () => {
    const storage = memoryStorage();
    rememberReturnPath(storage, '/console/trackers');
    expect(takeReturnPath(storage)).toBe('/console/trackers');
    expect(takeReturnPath(storage)).toBe('/console');
  });

  test('is checked again when taken, because anybody may have stored it', () => {
    expect(takeReturnPath(memoryStorage('//evil.example'))).toBe('/console');
  });

  test('a path that is not safe does not replace one that is', () => {
    const storage = memoryStorage('/console/trackers');
    rememberReturnPath(storage, '//evil.example');
    expect(takeReturnPath(storage)).toBe('/console/trackers');
  });
});
