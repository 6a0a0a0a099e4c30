import { expect, test } from 'vitest';
import { gitHubTokenPages, gitLabTokenPage } from './token-pages.ts';

test('links to github.com if the address is invalid, never to a script', () => {
  for (const url of ['', 'git.skua.example', 'javascript:alert(1)', 'https://api.github.com']) {
    expect(gitHubTokenPages(url).fineGrained).toBe('https://github.com/settings/personal-access-tokens/new');
  }
});

test('links to the pages of a GitHub Enterprise Server', () => {
  expect(gitHubTokenPages('https://git.skua.example/api/v3').classic).toBe(
    'https://git.skua.example/settings/tokens/new?scopes=repo,read:org&description=Winnow',
  );
});

test('links to the page of a GitLab server, never to a script', () => {
  const path = '/-/user_settings/personal_access_tokens?name=Winnow&scopes=api';
  expect(gitLabTokenPage('https://git.skua.example/group/project')).toBe(`https://git.skua.example${path}`);
  expect(gitLabTokenPage('javascript:alert(1)')).toBe(`https://gitlab.com${path}`);
});
