// prose-exception-file: sample comments on issues
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { statedOriginal } from './stated-original.ts';

const ISSUE = { key: 'acme/app#5', url: 'https://github.com/acme/app/issues/5' };
const JIRA = { key: 'PROJ-5', url: 'https://acme.example/browse/PROJ-5' };

/** Returns the key of the stated original, `denied`, or null if the comment states nothing. */
function original(comment: string, issue = ISSUE): string | null {
  const said = statedOriginal(comment, issue, () => true);
  return said === null ? null : (said.original ?? 'denied');
}

describe('a comment names the original', () => {
  test.each([
    'Duplicate of #12',
    'duplicate of #12.',
    '**Duplicate of** #12',
    'Duplicate: #12',
    'Dup of #12',
    'dupe of acme/app#12, thanks!',
    'dup of https://github.com/acme/app/issues/12',
    'Closing as duplicate of #12',
    'Closing as a duplicate of #12.',
    'Closing this as a dup of #12',
    'Closed as duplicate of GH-12',
    'Marking as a duplicate of #12, please follow there.',
    'This is a duplicate of #12.',
    'This issue is a duplicate of [#12](https://github.com/acme/app/issues/12).',
    'It’s an exact duplicate of #12',
    'This duplicates #12.',
    'This is the same issue as #12.',
    'Same bug as #12',
    'Thanks for the report! This is a duplicate of the older issue #12.',
    'Thanks, closing as duplicate of #12',
    'Duplicate of #12 (fixed in 2.1)',
    'Closing as duplicate against #12.',
    'Dupe #12',
    'Oops, dup of #12',
    'So this is a duplicate of #12, as Tim pointed out.',
    'I’m going to close this as a dup of #12.',
    'Closing this because it’s a duplicate of #12.',
    'Logs were useful.\n\nDuplicate of #12',
  ])('%s', (comment) => {
    expect(original(comment)).toBe('acme/app#12');
  });

  test.each(['Closing as duplicate of PROJ-12', 'Duplicates PROJ-12.'])('in Jira: %s', (comment) => {
    expect(original(comment, JIRA)).toBe('PROJ-12');
  });
});

describe('a comment denies that its issue is a duplicate', () => {
  test.each([
    'Not a duplicate of #12.',
    'This is not a duplicate of #12',
    'This isn’t a duplicate of #12.',
    'It is no duplicate of #12',
    'Reopening, this is not the same issue as #12',
  ])('%s', (comment) => {
    expect(original(comment)).toBe('denied');
  });
});

describe('a comment states nothing', () => {
  test.each([
    'Duplicate of #12?',
    'Is this a duplicate of #12?',
    'Could this be a duplicate of #12',
    'Possible duplicate of #12',
    'Possibly a dup of #12.',
    'Maybe a duplicate of #12',
    'I think this is a duplicate of #12',
    'I don’t think this is a duplicate of #12',
    'Looks like a duplicate of #12',
    'If this is a duplicate of #12, close it.',
    'This was a duplicate of #12 before the rewrite.',
    '#45 is a duplicate of #12',
    'Your other report is a duplicate of #12',
    'He says it is a duplicate of #12',
    'Duplicate of #12 and #13',
    'Duplicate of #12, #13',
    'Duplicate of #12 but with another cause',
    'Partial duplicate of #12',
    'Same problem as #12',
    'Almost certainly a dup of #12.',
    'Duplicate of #12 except for the log',
    'Duplicate of #12.\nDuplicate of #13.',
    'Duplicate of the other one',
    'Duplicate of step #12',
    'See #12',
    'Duplicated code: #12 removes it',
    '> Duplicate of #12\n\nWho says so?',
    '`Duplicate of #12`',
    '~~Duplicate of #12~~',
    'Duplicate of #5',
    'Duplicate of acme/app#12abc',
  ])('%s', (comment) => {
    expect(original(comment)).toBeNull();
  });

  test('if the mentioned issue is unknown', () => {
    expect(statedOriginal('Duplicate of #12', ISSUE, () => false)).toBeNull();
  });
});

test('the result quotes the statement', () => {
  expect(statedOriginal('Hello. Closing as duplicate of #12.\nBye', ISSUE, () => true)?.quote).toBe(
    'Closing as duplicate of #12.',
  );
});

test('any text is read in linear time', () => {
  const parts = fc.constantFrom(
    'duplicate of ',
    '#12 ',
    'not a ',
    'closing as ',
    '\n',
    '. ',
    'this is ',
    '?',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), (words) => {
      statedOriginal(words.join(''), ISSUE, () => true);
    }),
  );
  const started = process.cpuUsage();
  for (const part of ['duplicate of ', 'closing this as a ', 'duplicate of #12 ', 'thanks ', ' ']) {
    statedOriginal(part.repeat(20_000 / part.length), ISSUE, () => true);
  }
  expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
});
