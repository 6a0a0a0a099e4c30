// npm test: runs all tests, including browser tests. Ends with a line "N passed, N failed".
// Unit tests and browser tests run at the same time, because each leaves processors idle while it
// waits. The output of the browser tests follows that of the unit tests.
import { existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
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
const OUTPUT_POLL_MS = 500;

const vitestReport = join(reports, 'vitest.json');
const unitTests = run(
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

const browserReport = join(reports, 'playwright.json');
const browserOutput = join(reports, 'playwright.txt');
const output = openSync(browserOutput, 'w');
const browserTests = run(
  node,
  [
    join(modules, '@playwright/test/cli.js'),
    'test',
    `--config=${join(root, 'e2e', 'playwright.config.ts')}`,
    '--reporter=list,json',
  ],
  {
    stdio: ['inherit', output, output],
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport },
  },
);

const vitestCode = await unitTests;
const browserCode = await printWhile(browserTests, browserOutput);
const counts = [
  countsOf(vitestReport, vitestCode, readVitest),
  countsOf(browserReport, browserCode, readPlaywright),
];
const notes = [
  ...linesOf(vitestReport, failuresOfVitest).map((failure) => `Failed: ${failure}`),
  ...linesOf(vitestReport, flakyOfVitest).map((test) => `Flaky: ${test}`),
  ...linesOf(browserReport, flakyOfPlaywright).map((title) => `Flaky: ${title}`),
];

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

/** Prints a file, and what is added to it until `ended` resolves. Returns the result of `ended`. */
async function printWhile(ended, file) {
  const input = openSync(file, 'r');
  const chunk = Buffer.alloc(65_536);
  const print = () => {
    for (let size = readSync(input, chunk); size > 0; size = readSync(input, chunk)) {
      process.stdout.write(Buffer.from(chunk.subarray(0, size)));
    }
  };
  print();
  const timer = setInterval(print, OUTPUT_POLL_MS);
  const result = await ended;
  clearInterval(timer);
  print();
  return result;
}
