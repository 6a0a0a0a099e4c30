import { existsSync, readFileSync } from 'node:fs';

/** Counts of one or more test runs. */
export const nothing = { passed: 0, failed: 0, skipped: 0 };

/** Reads the report of Vitest's JSON reporter. */
export function readVitest(report) {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The failed tests in the report of Vitest's JSON reporter, each with the first lines of what it said. */
export function failuresOfVitest(report) {
  return report.testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && message) return [`${name}\n${firstLines(message)}`];
    return failed.map(
      ({ fullName, failureMessages }) => `${name} › ${fullName}\n${firstLines(failureMessages.join('\n'))}`,
    );
  });
}

function firstLines(text) {
  return text
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n');
}

/** Reads the report of Playwright's JSON reporter. One that passed only at the second try is flaky, and failed. */
export function readPlaywright({ stats }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

/**
 * The counts of one run, from its report and its exit code: a run that failed without a failed test (a file that cannot
 * be loaded, a report that was never written) counts as one failure.
 */
export function countsOf(file, exitCode, read) {
  const counts = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : nothing;
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Adds counts up. */
export function sum(all) {
  return all.reduce(
    (total, { passed, failed, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
    }),
    nothing,
  );
}

/** The closing line of `npm test`. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
