import { expect, test } from 'vitest';
import { cannotLinks } from './differences.ts';

const reasonFor = (first: [string, string?], second: [string, string?], series: string | null = null) => {
  const issues = new Map(
    [first, second].map(([title, body = ''], at) => [`${at}`, { id: `${at}`, title, body, series }] as const),
  );
  const [found] = cannotLinks([{ a: '0', b: '1', probability: 0.5 }], issues, { threshold: 0.3 });
  return found?.reason ?? null;
};

test('two issues differ if their titles are one sentence about two modules', () => {
  expect(reasonFor(['Fix warnings in hadoop-hdfs'], ['Fix warnings in hadoop-yarn'])).toMatch(
    /two different things/,
  );
  expect(reasonFor(['Fix warnings in hadoop-hdfs'], ['Warnings in hadoop-hdfs'])).toBeNull();
});

test('two issues differ if they name different codes of one family, in titles or error lines', () => {
  expect(reasonFor(['Build fails with E0277'], ['The build fails: E0308'])).toBe(
    'They report different error codes: “E0277” and “E0308”.',
  );
  expect(reasonFor(['Upload fails', 'Error: HTTP 413'], ['Upload broken', 'Error: HTTP 502'])).toMatch(
    /“413” and “502”/,
  );
});

test('two issues do not differ if they have a code in common, or name codes of different families', () => {
  expect(reasonFor(['E0277 and E0308 on build'], ['Build: E0308'])).toBeNull();
  expect(reasonFor(['Upload fails', 'Error: HTTP 413'], ['Upload broken', 'Error: ECONNRESET'])).toBeNull();
});

test('two issues of a series differ, unless their titles are equal', () => {
  expect(reasonFor(['Port the reader'], ['Port a writer'], 'Port …')).toBe(
    'Both belong to the series “Port …”.',
  );
  expect(reasonFor(['Port the reader'], ['Port the reader'], 'Port …')).toBeNull();
});

test('pairs below the threshold are ignored', () => {
  expect(cannotLinks([{ a: '0', b: '1', probability: 0.2 }], new Map(), { threshold: 0.3 })).toEqual([]);
});
