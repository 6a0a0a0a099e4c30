import { describe, expect, test } from 'vitest';
import { gitLabAddress } from './address.ts';

describe('the address of a GitLab', () => {
  test.each([
    ['', 'https://gitlab.com/api/v4', 'GitLab'],
    ['gitlab.com', 'https://gitlab.com/api/v4', 'GitLab'],
    ['https://www.gitlab.com/acme', 'https://gitlab.com/api/v4', 'GitLab'],
    ['git.example.com', 'https://git.example.com/api/v4', 'GitLab at git.example.com'],
    ['http://git.example.com:8080/', 'http://git.example.com:8080/api/v4', 'GitLab at git.example.com:8080'],
    ['https://example.com/gitlab/', 'https://example.com/gitlab/api/v4', 'GitLab at example.com'],
    ['https://git.example.com/api/v4', 'https://git.example.com/api/v4', 'GitLab at git.example.com'],
  ])('%j has its API at %s', (text, apiUrl, name) => {
    expect(gitLabAddress(text)).toMatchObject({ apiUrl, name });
  });

  test.each(['not a place', 'ftp://git.example.com', 'https://ada:secret@git.example.com'])(
    '%j is refused',
    (text) => {
      expect(() => gitLabAddress(text)).toThrow('Enter an address such as https://gitlab.com');
    },
  );
});
