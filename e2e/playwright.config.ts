import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { readyChromium } from '@winnow/tools/browser/chromium.ts';

const RESULTS = fileURLToPath(new URL('../test-results', import.meta.url));

/**
 * Returns the results folder of this run. Each run has a separate folder, so that parallel runs do
 * not delete each other's results.
 */
function resultsOfThisRun(): string {
  // Workers load this file again. They inherit the name of the folder from the main process.
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
  // A test that passes only at the second attempt is listed as flaky by `npm test`.
  retries: 1,
  forbidOnly: true,
  // Timeout of a test. It is long, because two browsers and the product share few processors.
  // Benchmarks measure speed, not these tests.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // `npm test` adds a second reporter to count the tests.
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: await readyChromium(),
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1440, height: 900 },
    // Turns off animations. Animations are not tested, and screenshots taken during an animation
    // differ between runs.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    // Records actions, requests and results of the second attempt only, because a trace of every
    // test takes 8 % of the run. The first attempt leaves a screenshot, the page's text and the
    // product's log. `--trace on` adds screenshots when debugging a test.
    trace: { mode: 'on-first-retry', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
  },
});
