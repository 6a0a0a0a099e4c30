import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { MCP_PATH } from '@winnow/contract/mcp-address';
import { tracker } from '@winnow/contract/tracker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whenSynced } from '../testing/github.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';
import { newKey } from './testing/agent.ts';
import { type KeyProxy, openKeyProxy } from './testing/key-proxy.ts';

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

let winnow: RunningWinnow;
let proxy: KeyProxy;
let results: string;

beforeAll(async () => {
  results = mkdtempSync(join(tmpdir(), 'winnow-conformance-'));
  winnow = await startWinnow();
  const caller = await winnow.newCaller();
  const { id } = await caller.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  await whenSynced(caller, id);
  proxy = await openKeyProxy(winnow.origin, (await newKey(caller)).key);
});
afterAll(async () => {
  await proxy.close();
  await winnow.close();
  rmSync(results, { recursive: true, force: true });
});

/**
 * Runs a command of the conformance suite in a child process, because the suite exports no
 * functions.
 */
async function runSuite(args: readonly string[]): Promise<{ passes: boolean; summary: string }> {
  const child = spawn(process.execPath, [SUITE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const summary = `${output}${errors}`.split('=== SUMMARY ===').at(-1) ?? '';
  return { passes: (await ended) === 0, summary };
}

test.each(['2025-11-25', '2026-07-28'])(
  'passes the conformance suite of %s except for the listed failures',
  async (revision) => {
    const expected = fileURLToPath(new URL(`conformance-${revision}.yaml`, import.meta.url));
    const address = ['--url', `${proxy.origin}${MCP_PATH}`, '--output-dir', results];
    const { passes, summary } = await runSuite([
      'server',
      ...address,
      '--requirements',
      revision,
      '--expected-failures',
      expected,
    ]);
    expect(passes, summary).toBe(true);
    expect(summary).toMatch(/✓ tools-list: [1-9]/);
  },
  120_000,
);
