import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { readyChromium } from '../browser/chromium.ts';
import type { Emit } from './run.ts';

/**
 * npm fetches this package when the benchmark runs, because it is too large to be installed with
 * the project.
 */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const PAGES = ['/', '/pricing', '/docs', '/login'];
const RUNS = 3;

const report = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(
    z.string(),
    z.object({ score: z.number(), auditRefs: z.array(z.object({ id: z.string() })) }),
  ),
  audits: z.record(z.string(), z.object({ score: z.number().nullable(), scoreDisplayMode: z.string() })),
});

/**
 * Measures the four Lighthouse scores of public pages on a phone. Each value is the median of three
 * runs. Lists the audits that reduce a score.
 */
export async function run(emit: Emit): Promise<void> {
  const server = await startServer();
  const folder = await mkdtemp(join(tmpdir(), 'winnow-lighthouse-'));
  try {
    for (const path of PAGES) {
      const scores = new Map<string, number[]>();
      const lost = new Set<string>();
      for (let index = 0; index < RUNS; index += 1) {
        const { categories, audits } = await audit(`${server.url}${path}`, folder);
        for (const [name, { score, auditRefs }] of Object.entries(categories)) {
          scores.set(name, [...(scores.get(name) ?? []), Math.round(score * 100)]);
          for (const { id } of auditRefs) {
            const found = audits[id];
            if (found?.scoreDisplayMode === 'binary' && found.score === 0) lost.add(id);
          }
        }
      }
      for (const [name, values] of scores) {
        const sorted = values.toSorted((left, right) => left - right);
        emit({
          name: `${path} ${name}`,
          value: sorted[Math.floor(sorted.length / 2)] ?? 0,
          unit: 'of 100',
          detail: { runs: values, lost: [...lost] },
        });
      }
    }
  } finally {
    await server.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function audit(url: string, folder: string): Promise<z.infer<typeof report>> {
  const { executablePath, args, env } = await readyChromium();
  const flags = ['--headless', '--no-sandbox', `--user-data-dir=${folder}`, ...args].join(' ');
  const command = [
    'exec',
    '--yes',
    '--',
    LIGHTHOUSE,
    url,
    '--quiet',
    '--output=json',
    '--output-path=stdout',
  ];
  const { stdout } = await promisify(execFile)('npm', [...command, `--chrome-flags=${flags}`], {
    maxBuffer: 64_000_000,
    env: {
      ...process.env,
      ...env,
      ...(executablePath === undefined ? {} : { CHROME_PATH: executablePath }),
      // Makes npm use this version of Node. Lighthouse may require a newer version than the default
      // one.
      PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    },
  });
  const read = report.parse(JSON.parse(stdout));
  if (read.runtimeError !== undefined) throw new Error(read.runtimeError.message);
  return read;
}
