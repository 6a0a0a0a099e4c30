import { expect, test } from 'vitest';
import { projectSegment, readProjects } from './project-segment.ts';

test('returns the first segment of a project id', () => {
  expect(projectSegment('6F9619FF-8b86-4d01-b42d-00cf4fc964ff')).toBe('6f9619ff');
});

test('parses valid project id segments and drops duplicates', () => {
  expect(readProjects('0A1B2C3D, ffffffff,xyz,,0a1b2c3d,0123456789')).toEqual(['0a1b2c3d', 'ffffffff']);
  expect(readProjects(null)).toEqual([]);
});
