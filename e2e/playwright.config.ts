import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { readyChromium } from '@winnow/tools/browser/chromium.ts';

const RESULTS = fileURLToPath(new URL('../test-results', import.meta.url));

/** A run's results are in a folder of its own, so that two runs do not remove each other's. */
function resultsOfThisRun(): string {
  // Workers read this file again; they inherit the name from the process that runs them.
  if (process.env.E2E_RUN === undefined) {
    process.env.E2E_RUN = String(process.pid);
    removeEndedRuns();
  }
  return join(RESULTS, process.env.E2E_RUN);
}

function removeEndedRuns(): void {
  mkdirSync(RESULTS, { recursive: true });
  for (const name of readdirSync(RESULTS)) {
    if (/^\d+$/.test(name) && !isAlive(Number(name))) rmSync(join(RESULTS, name), { recursive: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const outputDir = resultsOfThisRun();

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  outputDir,
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // How long something may take is measured elsewhere; here two browsers and the product share few processors.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // `npm test` adds a report that it counts from.
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: await readyChromium(),
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1440, height: 900 },
    // What moves is not what is tested, and a picture taken in the middle of a movement shows neither end.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    // What was done and asked for, and how it ended. A picture of the page at each step takes a third of the time there
    // is; `--trace on` takes them of a test that is looked into.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
  },
});
