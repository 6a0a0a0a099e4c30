import { expect, test } from 'vitest';
import { nameCluster } from './cluster-name.ts';

const idf = () => 1;

test('takes the phrase that most titles contain, spelled as in the first of them', () => {
  const titles = [
    'App crashes on startup after the update',
    'Startup: the app crashes on startup',
    'After login the app crashed on startup again',
  ];
  expect(nameCluster(titles, idf)).toBe('App crashes on startup');
});

test('prefers rare words to frequent ones', () => {
  const weigh = (term: string) => (term.startsWith('token') || term.startsWith('refresh') ? 5 : 0.5);
  const titles = ['Login page fails: refresh token expired', 'Refresh token missing, login page fails'];
  expect(nameCluster(titles, weigh)).toBe('Refresh token');
});

test('keeps the spelling of identifiers', () => {
  expect(nameCluster(['parseDate ignores zones', 'Bug: parseDate ignores zones'], idf)).toBe(
    'parseDate ignores zones',
  );
});

test('takes the most typical title if the titles have no phrase in common', () => {
  const titles = ['Menu stays open', 'Dropdown remains visible', 'Menu never closes, stays'];
  expect(nameCluster(titles, idf)).toBe('Menu stays open');
});

test('a name never begins or ends inside a quotation or brackets', () => {
  const titles = [
    "Cannot read property (reading 'etag') when renaming a file",
    "TypeError (reading 'etag') when renaming a file",
    "Sync stops: undefined 'etag') when renaming a file",
  ];
  expect(nameCluster(titles, idf)).toBe('Renaming a file');
  expect(nameCluster(["Editor's state is lost", "The editor's state is lost"], idf)).toBe(
    "Editor's state is lost",
  );
  expect(nameCluster(['“Safe mode” fails twice', 'Button “Safe mode” fails'], idf)).toBe('Safe mode');
});

test('a name contains no tags, even if all titles have them', () => {
  expect(nameCluster(['[api] Token refresh fails', '[api] token refresh fails again'], idf)).toBe(
    'Token refresh fails',
  );
  expect(nameCluster(['core: Menu stays open'], idf)).toBe('Menu stays open');
});

test('shortens a long title at the end of a word', () => {
  const name = nameCluster([`${'word '.repeat(40)}end`], idf);
  expect(name.length).toBeLessThanOrEqual(72);
  expect(name).toMatch(/word…$/);
});
