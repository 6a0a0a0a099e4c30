import { expect, test } from 'vitest';
import { gitHubTokenPages, gitLabTokenPage } from './token-pages.ts';

test('an invalid address leads to github.com, never to a script', () => {
  for (const url of ['', 'git.skua.example', 'javascript:alert(1)', 'https://api.github.com']) {
    expect(gitHubTokenPages(url).fineGrained).toBe('https://github.com/settings/personal-access-tokens/new');
  }
});

test('GitHub Enterprise Server tokens are created on its own pages', () => {
  expect(gitHubTokenPages('https://git.skua.example/api/v3').classic).toBe(
    'https://git.skua.example/settings/tokens/new?scopes=repo,read:org&description=Winnow',
  );
});

test('GitLab tokens are created on its own page, never on a script address', () => {
  const path = '/-/user_settings/personal_access_tokens?name=Winnow&scopes=api';
  expect(gitLabTokenPage('https://git.skua.example/group/project')).toBe(`https://git.skua.example${path}`);
  expect(gitLabTokenPage('javascript:alert(1)')).toBe(`https://gitlab.com${path}`);
});
