import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EvaluatedIssue } from '../readiness.ts';
import { readIssue } from './read-issue.ts';
import { uncalibratedOf } from './score-calibration.ts';
import { signalsOf } from './signals.ts';
import { anyIssue, issue, ready } from './testing/issues.ts';

const signals = (given: EvaluatedIssue) => signalsOf(readIssue(given));
const scoreOf = (title: string, body: string, id: string) =>
  ready(title, body, 'task').criteria.find((found) => found.id === id)?.score ?? 0;

describe('an exact name in a short text', () => {
  test.each([
    ['a version for another', 'Bump charts-core from 2.0.16 to 2.1.5', 'Asked for by the dependency bot.'],
    ['a file to remove', 'Remove legacy-export.yaml', 'Nothing reads `legacy-export.yaml` since 4.2.'],
    ['a change to take over', 'Backport #1204 to branch-3.2', ''],
  ])('raises the score: %s', (_, title, body) => {
    const found = ready(title, body, 'task');
    expect(found.factor).toBeGreaterThan(0.4);
    expect(found.criteria.find(({ id }) => id === 'scope')?.note).toContain('Names its subject exactly');
  });

  test.each([
    ['is open-ended', 'Improve charts-core 2.1.5', ''],
    ['is open-ended after its area', '[charts] charts-core: Support more of 2.1.5', ''],
    ['is a name without a sentence', 'charts-core legacy.yaml', ''],
    ['is in capitals', 'UPDATE THE CHARTS', ''],
  ])('has no effect if the text %s', (_, title, body) => {
    expect(signals(issue(title, body)).exact).toBe(0);
  });

  test('has less effect in a longer text', () => {
    const title = 'Bump charts-core from 2.0.16 to 2.1.5';
    const details =
      'The new release draws the axes of long series twice as fast on old laptops, says its author. ';
    expect(signals(issue(title, details)).exact).toBeLessThan(signals(issue(title, '')).exact);
  });
});

describe('a text has a lower score for', () => {
  const plain = 'The export job writes the header row twice when the list has one page.';

  test('things that it does not name', () => {
    const vague = `${plain} Several other problems need to be handled as well.`;
    const exact = `${plain} Empty columns need to be handled as well.`;
    expect(scoreOf('Export', vague, 'estimable')).toBeLessThan(scoreOf('Export', exact, 'estimable'));
  });

  test('a personal experience, but not a user story', () => {
    expect(signals(issue('Export', 'I have this on my laptop. Please help me.')).personal).toBeGreaterThan(
      0.5,
    );
    expect(signals(issue('Export', 'As an accountant I want one file.')).personal).toBe(0);
  });

  test('nothing that it states to be out of scope', () => {
    expect(signals(issue('Export', `${plain}\n\n## Out of scope\n\nAll the other formats.`)).unlisted).toBe(
      0,
    );
  });
});

describe('a calibration', () => {
  test('limits scores and signals to the range from 0 to 1', () => {
    fc.assert(
      fc.property(anyIssue, (given) => {
        const { whole, signals: found } = uncalibratedOf(readIssue(given));
        for (const value of [whole, ...Object.values(found)]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });
});

describe('Jira’s wiki markup', () => {
  test('code blocks are recognized, and inline code remains in its sentence', () => {
    const log = '{noformat}\njava.lang.Error: no\n\tat a.B.c(B.java:12)\n{noformat}';
    const { code, body } = readIssue(issue('Export', `It fails in {code}Writer{code} then.\n${log}\nAgain.`));
    expect(code).toHaveLength(1);
    expect(code[0]?.isTrace).toBe(true);
    expect(body.map(({ words }) => words)).toEqual([5, 1]);
  });

  test('numbered sentences are items, but headings are not', () => {
    const items =
      '# The script must not run the tests of closed accounts\n# The manual must say why they are left out';
    expect(readIssue(issue('Export', items)).body).toHaveLength(2);
    expect(
      readIssue(issue('Export', '# Goal\n# What did you expect to happen when you clicked?')).body,
    ).toEqual([]);
  });
});
