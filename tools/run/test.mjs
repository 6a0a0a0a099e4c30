// npm test: runs all tests, including browser tests. Ends with a line "N passed, N failed".
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run, setUp } from './setup.mjs';
import { closingLine, countsOf, failuresOfVitest, readPlaywright, readVitest, sum } from './totals.mjs';

const node = setUp();
const modules = join(root, 'node_modules');
const reports = mkdtempSync(join(tmpdir(), 'winnow-reports-'));
const counts = [];

const vitestReport = join(reports, 'vitest.json');
const vitestCode = await run(node, [
  join(modules, 'vitest/vitest.mjs'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${vitestReport}`,
]);
counts.push(countsOf(vitestReport, vitestCode, readVitest));
const failures = existsSync(vitestReport)
  ? failuresOfVitest(JSON.parse(readFileSync(vitestReport, 'utf8')))
  : [];

const browserConfig = join(root, 'e2e', 'playwright.config.ts');
if (existsSync(browserConfig)) {
  const browserReport = join(reports, 'playwright.json');
  const browserCode = await run(
    node,
    [join(modules, '@playwright/test/cli.js'), 'test', `--config=${browserConfig}`, '--reporter=list,json'],
    { env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport } },
  );
  counts.push(countsOf(browserReport, browserCode, readPlaywright));
}

rmSync(reports, { recursive: true, force: true });
// The browser tests have printed pages since, and their failures are already at the end.
for (const failure of failures) process.stdout.write(`\nFailed: ${failure}\n`);
const total = sum(counts);
process.stdout.write(`${closingLine(total)}\n`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
