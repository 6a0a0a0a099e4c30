import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rememberReturnPath, safeReturnPath, takeReturnPath } from './return-path.ts';

function memoryStorage(stored?: string) {
  const values = new Map<string, string>(stored === undefined ? [] : [['loginRedirectPath', stored]]);
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  };
}

describe('the return path after signing in', () => {
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
  ])('rejects %j', (path) => {
    expect(safeReturnPath(path)).toBeNull();
  });

  test.each([
    '/console',
    '/console/issues?status=all&page=2#top',
    '/console/issues?back=//evil.example',
    '/loginx',
  ])('accepts %s unchanged', (path) => {
    expect(safeReturnPath(path)).toBe(path);
  });

  test('never leaves our origin, whatever is stored', () => {
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

  test('rejects an overlong path', () => {
    expect(safeReturnPath(`/console?x=${'a'.repeat(3000)}`)).toBeNull();
  });

  test('is deleted once read', () => {
    const storage = memoryStorage();
    rememberReturnPath(storage, '/console/trackers');
    expect(takeReturnPath(storage)).toBe('/console/trackers');
    expect(takeReturnPath(storage)).toBe('/console');
  });

  test('is validated again when read, since storage is untrusted', () => {
    expect(takeReturnPath(memoryStorage('//evil.example'))).toBe('/console');
  });

  test('is not replaced by an unsafe path', () => {
    const storage = memoryStorage('/console/trackers');
    rememberReturnPath(storage, '//evil.example');
    expect(takeReturnPath(storage)).toBe('/console/trackers');
  });
});
