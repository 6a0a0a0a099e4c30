import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig, preview } from 'vite';
import { readyChromium } from '../browser/chromium.ts';
import type { Emit } from './run.ts';

const LIST = fileURLToPath(
  new URL('../../packages/web/src/ui/data-list/testing/long-list/', import.meta.url),
);
const SCROLL_MS = 5_000;
/** One step of the wheel, in pixels, every 16 ms: about 130 rows a second. */
const WHEEL_STEP = 120;
const WHEEL_EVERY_MS = 16;
/** Frames that take longer than this were late on a display with 60 frames a second. */
const LATE_FRAME_MS = 25;

/**
 * Measures frames per second while scrolling a list of 10,000 rows in Chromium, and the number of
 * mounted rows.
 */
export async function run(emit: Emit): Promise<void> {
  const outDir = await mkdtemp(join(tmpdir(), 'winnow-list-scroll-'));
  const options: InlineConfig = { root: LIST, configFile: false, logLevel: 'error', plugins: [react()] };
  await build({ ...options, build: { outDir, emptyOutDir: true } });
  const server = await preview({ ...options, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
  const browser = await chromium.launch(await readyChromium());
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.resolvedUrls?.local[0] ?? '');
    await page.locator('tbody tr').nth(10).waitFor();
    const mounted = await page.locator('tbody tr').count();
    emit({ name: 'rows mounted', value: mounted, unit: 'rows', detail: { of: 10_000 } });
    const cdp = await page.context().newCDPSession(page);
    // Measures processor time of the page's thread, which does not depend on other load of the
    // machine.
    await cdp.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
    await cdp.send('Performance.enable');
    const before = await taskSeconds(cdp);
    const frames = await framesWhileScrolling(page);
    const busy = (await taskSeconds(cdp)) - before;
    emit({
      name: 'main thread per frame',
      value: Math.round((busy / frames.length) * 100_000) / 100,
      unit: 'ms of processor time',
      detail: { budget_ms: 16.7 },
    });
    const late = frames.filter((duration) => duration > LATE_FRAME_MS).length;
    const total = frames.reduce((sum, duration) => sum + duration, 0);
    const sorted = frames.toSorted((one, other) => one - other);
    emit({
      name: 'frames while scrolling',
      value: Math.round((frames.length / total) * 10_000) / 10,
      unit: 'per second',
      detail: {
        frames: frames.length,
        late,
        p95_ms: sorted[Math.floor(sorted.length * 0.95)],
        last_row: Number(await page.locator('tbody tr').last().getAttribute('data-index')) + 1,
      },
    });
  } finally {
    await browser.close();
    await server.close();
    await rm(outDir, { recursive: true, force: true });
  }
}

/** Returns the duration of each frame during scrolling, in milliseconds. */
async function framesWhileScrolling(page: Page): Promise<number[]> {
  await page.mouse.move(600, 500);
  const measured = page.evaluate<number[]>(`frameDurations(${SCROLL_MS})`);
  const until = Date.now() + SCROLL_MS;
  while (Date.now() < until) {
    await page.mouse.wheel(0, WHEEL_STEP);
    await page.waitForTimeout(WHEEL_EVERY_MS);
  }
  return measured;
}

/** Returns the processor time used by the page's thread, in seconds. */
async function taskSeconds(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}
