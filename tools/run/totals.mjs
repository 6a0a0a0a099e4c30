import { existsSync, readFileSync } from 'node:fs';

/** Test counts before any test has run. */
export const NO_TESTS = { passed: 0, failed: 0, flaky: 0, skipped: 0 };

/** Reads the counts from a report of Vitest's JSON reporter. */
export function readVitest(report) {
  const flaky = flakyOfVitest(report).length;
  return {
    passed: report.numPassedTests - flaky,
    failed: report.numFailedTests,
    flaky,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Returns the failed tests of a Vitest JSON report, each with the first lines of its message. */
export function failuresOfVitest(report) {
  return report.testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && message) return [`${name}\n${firstLines(message)}`];
    return failed.map(
      ({ fullName, failureMessages }) => `${name} › ${fullName}\n${firstLines(failureMessages.join('\n'))}`,
    );
  });
}

/**
 * Returns the flaky tests of a Vitest JSON report, each with the first lines of its message. For a
 * test that passed at the second attempt, Vitest reports the message of the first.
 */
export function flakyOfVitest(report) {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(
        ({ fullName, failureMessages }) => `${name} › ${fullName}\n${firstLines(failureMessages.join('\n'))}`,
      ),
  );
}

function firstLines(text) {
  return text
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n');
}

/**
 * Reads the counts from a Playwright JSON report. A test that passed only at the second attempt
 * counts as flaky.
 */
export function readPlaywright({ stats }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected,
    flaky: stats.flaky,
    skipped: stats.skipped,
  };
}

/** Returns the flaky tests of a Playwright JSON report, each with its file and line. */
export function flakyOfPlaywright(report) {
  const titlesOf = (suite, outer) => {
    const titles = suite.line > 0 ? [...outer, suite.title] : outer;
    const specs = (suite.specs ?? []).filter(({ tests }) => tests.some(({ status }) => status === 'flaky'));
    return [
      ...specs.map(({ file, line, title }) => [`${file}:${line}`, ...titles, title].join(' › ')),
      ...(suite.suites ?? []).flatMap((inner) => titlesOf(inner, titles)),
    ];
  };
  return report.suites.flatMap((file) => titlesOf(file, []));
}

/**
 * Returns the counts of a test run from its report and exit code.
 * A run can fail without a failed test, for example if a file cannot be loaded or the report is
 * missing. Such a run counts as one failure.
 */
export function countsOf(file, exitCode, read) {
  const counts = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8'))) : NO_TESTS;
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/**
 * Counts, for each tracker, the emulator messages that could not be compared with the tracker's
 * official API description.
 */
export function uncheckedMessages(file) {
  if (!existsSync(file)) return [];
  const counts = new Map();
  for (const tracker of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    counts.set(tracker, (counts.get(tracker) ?? 0) + 1);
  }
  return [...counts].map(([tracker, count]) => ({ tracker, count }));
}

/** Adds up the counts of several runs. */
export function sum(all) {
  return all.reduce(
    (total, { passed, failed, flaky, skipped }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      flaky: total.flaky + flaky,
      skipped: total.skipped + skipped,
    }),
    NO_TESTS,
  );
}

/**
 * Returns the last line that `npm test` prints. Flaky, skipped and unchecked counts are omitted if
 * they are zero.
 */
export function closingLine({ passed, failed, flaky, skipped }, unchecked = 0) {
  const further = [
    [flaky, 'flaky'],
    [skipped, 'skipped'],
    [unchecked, 'messages not checked'],
  ].filter(([count]) => count > 0);
  return [`${passed} passed`, `${failed} failed`, ...further.map((entry) => entry.join(' '))].join(', ');
}
