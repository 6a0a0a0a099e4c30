import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import { plainClient } from '@winnow/emulators/http/plain-client';
import { expect, test } from 'vitest';
import { hadoopSeed } from './hadoop-seed.ts';

const hadoop = await hadoopSeed({ limit: 300 });

test.skipIf(!hadoop)(
  'the emulator serves the Hadoop reports unchanged, with the numbers of their labels',
  async () => {
    if (!hadoop) return;
    const github = await startGitHubEmulator({ seed: hadoop.seed });
    const call = plainClient(github.url, hadoop.token);
    const seen: { number: number }[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { body } = await call(
        'GET',
        `/repos/apache/hadoop/issues?state=all&direction=asc&per_page=100&page=${page}`,
      );
      if (Array.isArray(body)) seen.push(...body);
    }
    await github.close();
    expect(seen.map((issue) => issue.number)).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(seen).toMatchObject(
      hadoop.seed.repos[0]?.issues.map(({ title, body }) => ({ title, body })) ?? [],
    );
    expect(hadoop.clusters.flat().every((number) => number >= 1 && number <= 300)).toBe(true);
  },
);
