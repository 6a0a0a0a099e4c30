import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig, preview } from 'vite';
import { z } from 'zod';
import { readyChromium } from '../browser/chromium.ts';
import type { Emit } from './run.ts';

const LIST_PAGE_FOLDER = fileURLToPath(
  new URL('../../packages/web/src/ui/data-list/testing/long-list/', import.meta.url),
);
const SCROLL_MS = 5_000;
/** Wheel movement in pixels, sent every 16 ms. This scrolls the list by about 130 rows a second. */
const WHEEL_STEP = 120;
const WHEEL_EVERY_MS = 16;
/**
 * Maximum duration of a frame in milliseconds on a display with 60 frames a second. Longer frames
 * count as late.
 */
const LATE_FRAME_MS = 25;

/**
 * Kinds of work that the main thread of the page does, by the names of trace events. Other events
 * count as `other`.
 */
const KINDS: Record<string, string> = {
  FunctionCall: 'script',
  EventDispatch: 'script',
  FireAnimationFrame: 'script',
  TimerFire: 'script',
  RunMicrotasks: 'script',
  MinorGC: 'script',
  MajorGC: 'script',
  UpdateLayoutTree: 'style',
  Layout: 'layout',
  PrePaint: 'paint',
  Paint: 'paint',
  Layerize: 'paint',
  Commit: 'paint',
};
const TRACE_CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8'];
const trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      ph: z.string(),
      pid: z.number(),
      tid: z.number(),
      /** Start time in microseconds. `dur` is the duration. */
      ts: z.number(),
      dur: z.number().default(0),
      /** Processor time of the thread in microseconds. It excludes waiting for other processes. */
      tdur: z.number().default(0),
      args: z.object({ name: z.string().optional() }).loose().optional(),
    }),
  ),
});
type TraceEvent = z.infer<typeof trace>['traceEvents'][number];

/**
 * Scrolls a list of 10,000 rows in Chromium. Measures the work of the page's main thread per frame,
 * the frames per second, and the number of mounted rows.
 */
export async function run(emit: Emit): Promise<void> {
  const outDir = await mkdtemp(join(tmpdir(), 'winnow-list-scroll-'));
  const options: InlineConfig = {
    root: LIST_PAGE_FOLDER,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
  };
  await build({ ...options, build: { outDir, emptyOutDir: true } });
  const server = await preview({ ...options, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
  const browser = await chromium.launch(await readyChromium());
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.resolvedUrls?.local[0] ?? '');
    await page.locator('tbody tr').nth(10).waitFor();
    const mounted = await page.locator('tbody tr').count();
    emit({ name: 'rows mounted', value: mounted, unit: 'rows', detail: { of: 10_000 } });
    const { frames, work } = await scrollTraced(browser, page);
    const perFrame = (ms: number) => Math.round((ms / frames.length) * 100) / 100;
    emit({
      name: 'main thread per frame',
      value: perFrame([...work.values()].reduce((sum, ms) => sum + ms, 0)),
      unit: 'ms of processor time',
      detail: {
        budget_ms: 16.7,
        ...Object.fromEntries([...work].map(([kind, ms]) => [`${kind}_ms`, perFrame(ms)])),
      },
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

/**
 * Returns the duration of each frame, and the processor time of the main thread by kind of work.
 * Times are in milliseconds.
 */
async function scrollTraced(
  browser: Browser,
  page: Page,
): Promise<{ frames: number[]; work: Map<string, number> }> {
  await browser.startTracing(page, { categories: TRACE_CATEGORIES });
  const frames = await framesWhileScrolling(page);
  const recorded: unknown = JSON.parse((await browser.stopTracing()).toString('utf8'));
  return { frames, work: workByKind(trace.parse(recorded).traceEvents) };
}

/**
 * Sums up the processor time of the main thread by kind of work. The time of a nested event counts
 * only for the kind of that event.
 */
function workByKind(events: readonly TraceEvent[]): Map<string, number> {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const ownEvents = events
    .filter(({ ph, pid, tid }) => ph === 'X' && threads.has(`${pid}/${tid}`))
    .toSorted((one, other) => one.ts - other.ts || other.dur - one.dur);
  const work = new Map<string, number>();
  const add = (kind: string, ms: number) => work.set(kind, (work.get(kind) ?? 0) + ms);
  const around: { end: number; kind: string }[] = [];
  for (const { name, ts, dur, tdur } of ownEvents) {
    while ((around.at(-1)?.end ?? ts + 1) <= ts) around.pop();
    const outer = around.at(-1);
    const kind = KINDS[name] ?? outer?.kind ?? 'other';
    add(kind, tdur / 1000);
    if (outer !== undefined) add(outer.kind, -tdur / 1000);
    around.push({ end: ts + dur, kind });
  }
  return work;
}
