import { expect, test } from 'vitest';
import { projectSegment, readPage, readProjects, readText } from './search-values.ts';

test('a project is named by the first segment of its id', () => {
  expect(projectSegment('6F9619FF-8b86-4d01-b42d-00cf4fc964ff')).toBe('6f9619ff');
});

test('a page that makes no sense is the first', () => {
  expect(['2', '100000', '0', '-1', '1.5', '1e3', '100001', 'one', '', null].map(readPage)).toEqual([
    2, 100_000, 1, 1, 1, 1, 1, 1, 1, 1,
  ]);
});

test('of projects only what can be a segment is read, each once', () => {
  expect(readProjects('0A1B2C3D, ffffffff,xyz,,0a1b2c3d,0123456789')).toEqual(['0a1b2c3d', 'ffffffff']);
  expect(readProjects(null)).toEqual([]);
});

test('a text that is too long is none', () => {
  expect([readText(' sync ', 4), readText('sync!', 4), readText(null, 4)]).toEqual(['sync', '', '']);
});
