import { describe, expect, test } from 'vitest';
import { loadHadoop, parseHadoopDate } from './hadoop.ts';

test.each(['', '30-Sep-21', '30/Foo/21 17:20', '2021-09-30T17:20:00Z', '30/Sep/2021 17:20'])(
  'refuses the time %j',
  (text) => {
    expect(() => parseHadoopDate(text)).toThrow('Not a time of the Hadoop data set');
  },
);

test('parses times as UTC', () => {
  expect(new Date(parseHadoopDate('30/Sep/21 17:20')).toISOString()).toBe('2021-09-30T17:20:00.000Z');
});

const loaded = await loadHadoop();

describe.skipIf(loaded === null)('the data set, if present', () => {
  test('contains all reports in order of creation, and labels of known reports only', () => {
    const { reports, clusters } = loaded ?? { reports: [], clusters: [] };
    expect(reports).toHaveLength(2503);
    expect(reports.every((report, at) => report.createdAt >= (reports[at - 1]?.createdAt ?? 0))).toBe(true);
    const ids = new Set(reports.map((report) => report.id));
    expect(clusters.flat().every((id) => ids.has(id))).toBe(true);
    expect(new Set(clusters.flat()).size).toBe(clusters.flat().length);
    expect(clusters.reduce((sum, cluster) => sum + cluster.length - 1, 0)).toBe(66);
  });
});
