import { expect, test } from 'vitest';
import { nameThemes } from './theme-names.ts';

function titled(theme: number, ...titles: string[]) {
  return titles.map((title) => ({ theme, title }));
}

test('the name of a theme consists of words that its titles contain and other titles do not', async () => {
  const themes = await nameThemes([
    ...titled(1, 'The export of the report fails', 'Exports are empty', 'Export the report as CSV'),
    ...titled(
      0,
      'The login page is slow',
      'The login button stays grey',
      'Login is not possible',
      'Login on a train',
    ),
    ...titled(2, 'The map is empty', 'A wish for the year'),
  ]);
  expect(themes.map(({ theme, size }) => [theme, size])).toEqual([
    [0, 4],
    [1, 3],
    [2, 2],
  ]);
  expect(themes[0]?.name).toBe('login');
  expect(themes[1]?.name?.split(', ').slice(0, 2)).toEqual(['export', 'report']);
  expect(themes[2]?.name).toBeNull();
});

test('numbers and single letters are not names, and without titles there are no themes', async () => {
  expect(await nameThemes(titled(0, '500 x', '500 x'))).toEqual([{ theme: 0, size: 2, name: null }]);
  expect(await nameThemes([])).toEqual([]);
});

test('a name can contain words of scripts without spaces, and ignores case', async () => {
  const themes = await nameThemes([
    ...titled(0, '文字化けする', '文字が読めない'),
    ...titled(1, 'CRASH on start', 'Crash at night'),
    ...titled(2, 'Other', 'Another'),
  ]);
  expect(themes.map(({ name }) => name)).toEqual(['文字', 'crash', null]);
});
