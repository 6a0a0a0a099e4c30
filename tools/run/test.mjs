// npm test: runs all tests, including browser tests. Ends with a line "N passed, N failed".
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run, setUp } from './setup.mjs';
import {
  closingLine,
  countsOf,
  failuresOfVitest,
  flakyOfPlaywright,
  flakyOfVitest,
  readPlaywright,
  readVitest,
  sum,
  uncheckedMessages,
} from './totals.mjs';

const node = setUp();
const modules = join(root, 'node_modules');
const reports = mkdtempSync(join(tmpdir(), 'winnow-reports-'));
const uncheckedFile = join(reports, 'unchecked.txt');
const counts = [];

const vitestReport = join(reports, 'vitest.json');
const vitestCode = await run(
  node,
  [
    join(modules, 'vitest/vitest.mjs'),
    'run',
    // `npm test` lists a test as flaky if it passes only at the second attempt. The browser tests
    // do the same.
    '--retry=1',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${vitestReport}`,
  ],
  { env: { ...process.env, UNCHECKED_MESSAGES_FILE: uncheckedFile } },
);
counts.push(countsOf(vitestReport, vitestCode, readVitest));
const notes = [
  ...linesOf(vitestReport, failuresOfVitest).map((failure) => `Failed: ${failure}`),
  ...linesOf(vitestReport, flakyOfVitest).map((test) => `Flaky: ${test}`),
];

const browserConfig = join(root, 'e2e', 'playwright.config.ts');
if (existsSync(browserConfig)) {
  const browserReport = join(reports, 'playwright.json');
  const browserCode = await run(
    node,
    [join(modules, '@playwright/test/cli.js'), 'test', `--config=${browserConfig}`, '--reporter=list,json'],
    { env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport } },
  );
  counts.push(countsOf(browserReport, browserCode, readPlaywright));
  notes.push(...linesOf(browserReport, flakyOfPlaywright).map((title) => `Flaky: ${title}`));
}

const unchecked = uncheckedMessages(uncheckedFile);
for (const { tracker, count } of unchecked) {
  notes.push(`Not checked: ${count} messages of ${tracker}. Its official API description is missing.`);
}
rmSync(reports, { recursive: true, force: true });
// Prints the notes again, because the browser tests have printed many lines since.
for (const note of notes) process.stdout.write(`\n${note}\n`);
const total = sum(counts);
const uncheckedCount = unchecked.reduce((all, { count }) => all + count, 0);
process.stdout.write(`${closingLine(total, uncheckedCount)}\n`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

/** Reads entries of a test report. Returns none if the run ended before it wrote a report. */
function linesOf(report, read) {
  return existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : [];
}
