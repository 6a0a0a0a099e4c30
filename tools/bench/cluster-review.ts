import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium, expect, type Locator, type Page } from '@playwright/test';
import { clusterList } from '@winnow/contract/cluster';
import { tracker } from '@winnow/contract/tracker';
import { startGitHubEmulator } from '@winnow/emulators/github/emulator';
import type { GitHubSeed } from '@winnow/emulators/github/seed';
import { startServer } from '../../packages/server/src/testing/server-process.ts';
import { newAccount, signedInState, whenCompared } from '../browser/account.ts';
import { readyChromium } from '../browser/chromium.ts';
import { clusterRows, openClusters } from '../browser/clusters.ts';
import { type LabelledIssue, readLabelledSet } from '../data/labelled-set.ts';
import type { Emit } from './run.ts';
import { percentiles } from './shared/times.ts';

const DEFAULT_SET = fileURLToPath(new URL('../../../shared/data/rust', import.meta.url));
const COMPARED_WITHIN_MS = 1_800_000;
const CLUSTERED_WITHIN_MS = 300_000;
const SHOWN_WITHIN_MS = 60_000;

/**
 * Model of a human reviewer. No person takes part: the benchmark waits for the time that reading
 * and thinking would take.
 * Silent reading of English non-fiction takes 238 words a minute (Brysbaert 2019, meta-analysis of
 * 190 studies). A mental act takes 1.35 s and a key press 0.28 s (Card, Moran and Newell 1980).
 */
const WORDS_PER_MINUTE = 238;
const MENTAL_ACT_MS = 1_350;
const KEY_MS = 280;

const TOKEN = 'ghp_review_bench';
const TRIAGER = 'triager';

/**
 * Reviews clusters by keyboard in a recorded browser, at the pace of the modelled reviewer. All
 * issues of the data set are open.
 * For each cluster, the reviewer reads its summary, its issues, and the facts that each issue adds.
 * The reviewer resolves every second cluster after reading the preview, and dismisses the other
 * clusters.
 */
export async function run(emit: Emit, args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      set: { type: 'string', default: DEFAULT_SET },
      /** Number of clusters to review. */
      clusters: { type: 'string', default: '20' },
      /** Maximum number of issues. The newest issues are used. */
      issues: { type: 'string', default: '2500' },
      /** File for the recording: a Playwright trace with pictures of the screen. */
      trace: { type: 'string' },
    },
  });
  if (!existsSync(values.set)) {
    process.stderr.write(`cluster-review: skipped, no labelled set in ${values.set}.\n`);
    return;
  }
  const { issues } = await readLabelledSet(values.set);
  const emulator = await startGitHubEmulator({ seed: seedOf(issues.slice(-Number(values.issues))) });
  const server = await startServer({ env: { OUTBOUND_ALLOWED_HOSTS: '127.0.0.1' } });
  const browser = await chromium.launch(await readyChromium());
  try {
    const account = await newAccount(server.url, 'reviewer');
    const scope = [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'many' }];
    const request = { name: 'Many', type: 'github', url: emulator.url, api_key: TOKEN, scope_rules: scope };
    await account.api.send('POST', '/trackers', request, tracker);
    await whenCompared(account, { timeoutMs: COMPARED_WITHIN_MS, everyMs: 500 });
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      storageState: signedInState(server.url, account.api),
      baseURL: server.url,
    });
    if (values.trace !== undefined) await context.tracing.start({ screenshots: true });
    const page = await context.newPage();
    page.setDefaultTimeout(SHOWN_WITHIN_MS);
    await page.goto('/console/issues/clusters');
    await clusterRows(page).first().waitFor({ timeout: CLUSTERED_WITHIN_MS });
    const { total } = await account.api.get('/clusters?limit=1', clusterList);
    await openClusters(page);
    await page.keyboard.press('b');
    const review = await reviewClusters(page, Math.min(Number(values.clusters), total));
    if (values.trace !== undefined) await context.tracing.stop({ path: values.trace });
    await context.close();
    emit({
      name: 'clusters decided by keyboard, with modelled reading',
      value: perHour(review.decided, review.elapsed_ms),
      unit: 'per hour',
      detail: { ...review, listed: total },
    });
    emit({
      name: 'the same if the product took no time',
      value: perHour(review.decided, review.modelled_ms),
      unit: 'per hour',
    });
    emit({
      name: 'share of the time that the product takes',
      value: Math.round((1 - review.modelled_ms / review.elapsed_ms) * 1000) / 10,
      unit: '%',
    });
  } finally {
    await browser.close();
    await server.remove();
    await emulator.close();
  }
}

function seedOf(issues: readonly LabelledIssue[]): GitHubSeed {
  const authors = [...new Set(issues.flatMap(({ author }) => author ?? []))];
  return {
    users: [{ login: TRIAGER }, ...authors.filter((login) => login !== TRIAGER).map((login) => ({ login }))],
    orgs: [{ login: 'many', members: [TRIAGER] }],
    repos: [
      {
        owner: 'many',
        name: 'issues',
        issues: issues.map(({ title, body, author, createdAt }) => ({
          title,
          body,
          ...(author === null ? {} : { user: author }),
          created_at: new Date(createdAt).toISOString(),
        })),
      },
    ],
    tokens: [{ token: TOKEN, login: TRIAGER, scopes: ['repo', 'read:org'], repos: 'all' }],
  };
}

/** Result of a review. Times are elapsed milliseconds. */
interface Review {
  decided: number;
  resolved: number;
  /** Number of issues in the decided clusters. */
  issues: number;
  words: number;
  /**
   * Median times that the reviewer waits for Winnow: for the preview, for the writes, and for the
   * next cluster.
   */
  preview_ms: number;
  write_ms: number;
  next_ms: number;
  elapsed_ms: number;
  /** Simulated time for reading, thinking and typing. */
  modelled_ms: number;
}

async function reviewClusters(page: Page, wanted: number): Promise<Review> {
  const cluster = page.getByRole('region', { name: 'Cluster', exact: true });
  const heading = cluster.getByRole('heading');
  const review = { decided: 0, resolved: 0, issues: 0, words: 0, modelled_ms: 0 };
  const waits: Record<'preview' | 'write' | 'next', number[]> = { preview: [], write: [], next: [] };
  const waitFor = async (phase: keyof typeof waits, shown: () => Promise<unknown>) => {
    const askedAt = performance.now();
    await shown();
    waits[phase].push(performance.now() - askedAt);
  };
  const spend = async (ms: number) => {
    review.modelled_ms += ms;
    await page.waitForTimeout(ms);
  };
  const read = async (text: string) => {
    const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    review.words += words;
    await spend((words / WORDS_PER_MINUTE) * 60_000);
  };
  const press = async (key: string) => {
    await spend(KEY_MS);
    await page.keyboard.press(key);
  };
  await cluster.waitFor();
  const startedAt = performance.now();
  while (review.decided < wanted) {
    const name = await heading.innerText();
    await read(await cluster.innerText());
    review.issues += await readMembers(page, { read, press });
    await spend(MENTAL_ACT_MS);
    if (review.decided % 2 === 0) {
      await press('r');
      const dialog = page.getByRole('dialog', { name: 'Resolve Cluster' });
      await waitFor('preview', () => dialog.getByText('Posted as').first().waitFor());
      await read(await dialog.innerText());
      await spend(MENTAL_ACT_MS);
      await press('Control+Enter');
      await waitFor('write', () => dialog.waitFor({ state: 'hidden' }));
      review.resolved += 1;
    } else {
      await press('e');
    }
    review.decided += 1;
    if (review.decided < wanted) {
      await waitFor('next', async () => {
        await expect(heading).not.toHaveText(name, { timeout: SHOWN_WITHIN_MS });
        await heading.waitFor();
      });
    }
  }
  return {
    ...review,
    preview_ms: percentiles(waits.preview).p50,
    write_ms: percentiles(waits.write).p50,
    next_ms: percentiles(waits.next).p50,
    modelled_ms: Math.round(review.modelled_ms),
    elapsed_ms: Math.round(performance.now() - startedAt),
  };
}

/**
 * Walks through the issues of a cluster with the key `n`. Reads each issue and its displayed facts.
 * Returns the number of issues.
 */
async function readMembers(
  page: Page,
  { read, press }: { read: (text: string) => Promise<void>; press: (key: string) => Promise<void> },
): Promise<number> {
  const items = page
    .getByRole('region', { name: /^\d+ issues$/ })
    .getByRole('list')
    .first();
  const members: Locator = items.locator(':scope > li');
  const count = await members.count();
  for (let at = 0; at < count; at += 1) {
    await press('n');
    const current = items.locator(':scope > li[aria-current="true"]');
    await current.waitFor();
    await read(await current.innerText());
  }
  return count;
}

function perHour(decided: number, ms: number): number {
  return Math.round((decided / ms) * 3_600_000);
}
