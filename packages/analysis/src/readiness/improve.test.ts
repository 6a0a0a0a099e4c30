import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate, improve } from '../readiness.ts';
import { anyCriteria, anyIssue, issue, ready, readyCriteria } from './testing/issues.ts';

describe('an improvement', () => {
  test('is idempotent, never has a lower score, and states the source of every line', () => {
    fc.assert(
      fc.property(anyIssue, anyCriteria, (given, criteria) => {
        const before = evaluate(given, criteria);
        const better = improve(given, before, criteria);
        const improved = { ...given, title: better.title, body: better.description };
        const after = evaluate(improved, criteria);
        expect(after.factor).toBeGreaterThanOrEqual(before.factor);
        expect(improve(improved, after, criteria)).toMatchObject({
          title: better.title,
          description: better.description,
          changes: [],
        });
        expect(better.sources.length).toBe(better.description.split('\n').length);
        if (better.changes.length === 0) expect(better.description).toBe(given.body);
      }),
      { numRuns: 400 },
    );
  });

  test('preserves all characters except white space', () => {
    fc.assert(
      fc.property(anyIssue, (given) => {
        const { description, sources } = improve(given, evaluate(given, readyCriteria), readyCriteria);
        const own = description.split('\n').filter((_, index) => sources[index] === 'issue');
        const lettersOf = (written: string) => [...written.replace(/\s+/g, '')].sort().join('');
        expect(lettersOf(own.join('\n'))).toBe(lettersOf(given.body));
      }),
      { numRuns: 400 },
    );
  });

  test('preserves every statement exactly once', () => {
    const statement = fc
      .tuple(
        fc.constantFrom(
          'The upload stops',
          'It should go on',
          'Users lose work',
          'Only `sync.rs` is meant',
          'We wait for #3',
        ),
        fc.nat(500),
      )
      .map(([what, number]) => `${what} in case ${number}.`);
    const part = fc.oneof(
      fc.array(statement, { minLength: 1, maxLength: 4 }).map((all) => all.join(' ')),
      fc
        .array(statement, { minLength: 1, maxLength: 3 })
        .map((all) => all.map((one) => `- ${one}`).join('\n')),
      statement.map((one) => `\`\`\`\n${one}\n\`\`\``),
      statement.map((one) => `| a |\n|---|\n| ${one} |`),
      fc.constantFrom('## Goal', '## Whatever', 'Expected:', '**Approach**'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('bug', 'feature'), (parts, type) => {
        const body = parts.join('\n\n');
        const given = issue('Uploads stop', body, type);
        const { description } = improve(given, evaluate(given, readyCriteria), readyCriteria);
        const countIn = (text: string, said: string) => text.split(said).length - 1;
        for (const said of body.match(/\p{L}[^.|\n]* in case \d+\./gu) ?? []) {
          expect(countIn(description, said)).toBe(countIn(body, said));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('does not rate a question as an answer', () => {
    const given = issue('Export invoices', 'Accountants want to export invoices.');
    const before = evaluate(given, readyCriteria);
    const { description, sources, changes } = improve(given, before, readyCriteria);
    expect(description).toBe(`## Goal

Accountants want to export invoices.

## Acceptance criteria

_To clarify: How can a tester verify that it is done?_

## Scope

_To clarify: What is in scope, and what is not?_

## Dependencies

_To clarify: What does it depend on, if anything?_

## Approach

_To clarify: How can it be done, or where would you begin to look?_`);
    expect(sources.filter((source) => source === 'issue')).toHaveLength(1);
    expect(changes).toHaveLength(2);
    expect(evaluate({ ...given, body: description }, readyCriteria).factor - before.factor).toBeLessThan(
      0.06,
    );
  });

  test('sorts the statements of a bug into sections without rewording', () => {
    const body = `Renaming a file right after uploading it fails, the old name comes back. It should keep the new name.

1. Upload a file.
2. Rename it within two seconds.

\`\`\`
TypeError: Cannot read properties of undefined
\`\`\`

![shot](shot.png)

| browser | fails |
|---|---|
| Chrome | yes |

\`applyRename\` looks the row up by its final id, because the temporary one is not known there.`;
    const { description } = improve(
      issue('Rename fails', body, 'bug'),
      ready('Rename fails', body, 'bug'),
      readyCriteria,
    );
    expect(description.match(/^## .*/gm)).toEqual([
      '## What happens',
      '## Expected',
      '## Steps to reproduce',
      '## Notes',
    ]);
    expect(description).toContain('## Expected\n\nIt should keep the new name.');
    expect(description).toContain(
      '## Steps to reproduce\n\n1. Upload a file.\n2. Rename it within two seconds.',
    );
    expect(description).toContain('```\nTypeError: Cannot read properties of undefined\n```');
    expect(description).toContain('![shot](shot.png)');
    expect(description).toContain('| browser | fails |\n|---|---|\n| Chrome | yes |');
    expect(description.indexOf('## Notes')).toBeLessThan(description.indexOf('`applyRename` looks'));
  });

  test('starts like the issue, and keeps a sentence with the one that it refers to', () => {
    const body =
      'Photos in `.heic` have no preview. The decoder library was built without HEVC. It logs an error for each of them.';
    const { description } = improve(
      issue('No preview', body, 'bug'),
      ready('No preview', body, 'bug'),
      readyCriteria,
    );
    expect(description).toMatch(/^## What happens\n\nPhotos in `\.heic` have no preview\./);
    expect(description).toContain(
      'The decoder library was built without HEVC. It logs an error for each of them.',
    );
  });

  test('preserves existing headings, and adds questions under empty ones', () => {
    const body =
      '# Goal\r\nUsers export invoices.\r\n\r\n# Acceptance criteria\r\n<!-- list them -->\r\n\r\n# Rollout\r\nMonday.';
    const { description } = improve(issue('Export', body), ready('Export', body), readyCriteria);
    expect(description).toContain('# Goal\nUsers export invoices.');
    expect(description).toContain('# Acceptance criteria\n<!-- list them -->\n\n_To clarify:');
    expect(description).toContain('# Rollout\nMonday.');
    expect(description).toContain('# Scope\n\n_To clarify:');
  });

  test('closes an open code fence before adding text', () => {
    const body = 'Saving fails.\n\n```\nE: disk full';
    const { description } = improve(
      issue('Saving fails', body, 'bug'),
      ready('Saving fails', body, 'bug'),
      readyCriteria,
    );
    expect(description).toContain('```\nE: disk full\n```\n\n## Expected');
  });

  test.each([
    ['UPLOADS OF LARGE FILES FAIL', 'Uploads of large files fail'],
    ['[Bug] Uploads of large files fail', 'Uploads of large files fail'],
    ['Uploads of large files fail!!!', 'Uploads of large files fail'],
    ['  Uploads of   large files fail ', 'Uploads of large files fail'],
    ['Uploads of large files fail', 'Uploads of large files fail'],
    ['[Windows] Uploads of large files fail', '[Windows] Uploads of large files fail'],
    ['Problem', 'An upload of more than 2 GB ends with error 413'],
    ['Does not work', 'An upload of more than 2 GB ends with error 413'],
    ['Payment', 'Payment'],
  ])('changes the title “%s” to “%s”', (title, expected) => {
    const given = issue(title, 'An upload of more than 2 GB ends with error 413.', 'bug');
    expect(improve(given, evaluate(given, readyCriteria), readyCriteria).title).toBe(expected);
  });

  test('shortens a long title at the end of a word', () => {
    const given = issue('word '.repeat(80), 'Uploads of large files fail with an error.', 'bug');
    const { title } = improve(given, evaluate(given, readyCriteria), readyCriteria);
    expect(title.length).toBeLessThanOrEqual(255);
    expect(title).toMatch(/word…$/);
  });
});
