import { expect, test } from 'vitest';
import { tokenPages } from './token-pages.ts';

test('what is no web address leads to github.com, and never to a script', () => {
  for (const url of ['', 'git.skua.example', 'javascript:alert(1)', 'https://api.github.com']) {
    expect(tokenPages(url).fineGrained).toBe('https://github.com/settings/personal-access-tokens/new');
  }
});

test("an Enterprise Server's tokens are made on its own pages", () => {
  expect(tokenPages('https://git.skua.example/api/v3').classic).toBe(
    'https://git.skua.example/settings/tokens/new?scopes=repo,read:org&description=Winnow',
  );
});
