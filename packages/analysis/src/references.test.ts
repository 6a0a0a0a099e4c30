import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ReferringIssue, referencesIn } from './references.ts';

const github = { key: 'acme/app#5', url: 'https://github.com/acme/app/issues/5' };
const gitlab = { key: 'acme/mobile/app#5', url: 'https://git.example.org/hub/acme/mobile/app/-/issues/5' };
const jira = { key: 'APP-5', url: 'https://acme.atlassian.net/browse/APP-5' };

function keysIn(text: string, issue: ReferringIssue = github, isKnown = (_: string) => true): string[] {
  return referencesIn(text, issue, isKnown).map(({ key }) => key);
}

describe('issues are mentioned', () => {
  test.each([
    ['a number', 'Blocked by #12.', github, ['acme/app#12']],
    [
      'numbers in a row',
      '#12, #13/#14 and (#15); *#16* _#17_ **#18**:',
      github,
      [12, 13, 14, 15, 16, 17, 18],
    ],
    ['GH-12', 'See GH-12.', github, [12]],
    ['another repository', 'needs other/lib#3 and Acme/App#4', github, ['other/lib#3', 'acme/app#4']],
    ['a project beside it', 'needs lib#3', github, ['acme/lib#3']],
    ['a merge request', 'after !7 and acme/lib!8', gitlab, ['acme/mobile/app!7', 'acme/lib!8']],
    ['a key', 'needs APP-6, OPS_2-7 and _APP-8_', jira, ['APP-6', 'OPS_2-7', 'APP-8']],
    ['a key elsewhere', 'needs APP-6', github, ['APP-6']],
    ['after letters without spaces', '依存#12と#13', github, [12, 13]],
    ['a link', 'Needs [the API](https://github.com/acme/app/issues/12).', github, [12]],
    [
      'an address',
      'https://github.com/acme/app/pull/12#issuecomment-99, https://github.com/o/r/issues/3.',
      github,
      [12, 'o/r#3'],
    ],
    ['GitLab under a path', 'https://git.example.org/hub/acme/lib/-/work_items/12', gitlab, ['acme/lib#12']],
    [
      'a merge request by address',
      'https://gitlab.com/acme/lib/-/merge_requests/12/diffs',
      github,
      ['acme/lib!12'],
    ],
    ['Jira by address', 'https://acme.atlassian.net/browse/APP-12?focusedId=1', github, ['APP-12']],
    ['indented under an item', '- a\n\n    - #12', github, [12]],
  ] as const)('%s', (_what, text, issue, expected) => {
    const keys = expected.map((each) => (typeof each === 'number' ? `acme/app#${each}` : each));
    expect(keysIn(text, issue)).toEqual(keys);
  });
});

describe('no issue is mentioned', () => {
  test.each([
    ['in a code span', 'run `fix #12` and ``a ` #13``'],
    ['in a fence', '```\n#12\n```\n~~~ text\n#13\n~~~'],
    ['in a fence that is never closed', 'a\n```js\n#12'],
    ['in indented code', 'a\n\n    #12\n    #13\n'],
    ['in quoted mail', '> #12\n\n----- Original Message -----\n#13'],
    ['in code of Jira and of HTML', '{code}#12{code} {{#13}} <pre>#14</pre> <code class="x">#15</code>'],
    ['in a comment', '<!-- #12 -->'],
    ['the fragment of an address', 'https://example.org/page#12 and [here](#13) and example.org/a.html#x12'],
    ['of a mail address', 'me#12@example.org'],
    ['colours', 'background: #333; from #fff to #123, color #123456, #0a0, #000'],
    ['entities', '&#39; &#12;'],
    ['versions and parts of words', 'C#12 v#12 #12.5 #12a #12-beta #0 #012'],
    ['a rank', 'our #1 complaint'],
    ['counted things', 'step #2, build #123 and test case #4'],
    ['standards', 'UTF-8, SHA-256, ISO-8601, AES-256'],
    ['itself', '#5, acme/app#5 and https://github.com/acme/app/issues/5'],
  ])('%s', (_what, text) => {
    expect(keysIn(text)).toEqual([]);
  });

  test('for keys that `isKnown` rejects', () => {
    expect(keysIn('#12, #13, COVID-19', github, (key) => key === 'acme/app#13')).toEqual(['acme/app#13']);
  });

  test('for numbers without a key, if the tracker has project keys', () => {
    expect(keysIn('see #12', jira)).toEqual([]);
  });
});

test('mentions have correct ranges, are in order and do not overlap', () => {
  const piece = fc.constantFrom(
    ...[
      '#12',
      'lib#3',
      'o/r#4',
      '!7',
      'APP-6',
      ' ',
      '\n',
      '\r\n',
      '`',
      '```',
      '> ',
      '(',
      ']',
      '](',
      '/',
      '_',
      '<!--',
      '-->',
    ],
    ...[
      'https://github.com/o/r/issues/9',
      'é',
      'İ',
      '😀',
      'word',
      '- ',
      '<pre>',
      '</pre>',
      '{code}',
      '#',
      '~~',
    ],
  );
  const written = /^(?:[\w./-]*[#!]\d+|APP-6|(?:\w|-)*https:\/\/github\.com\/o\/r\/issues\/9.*)$/s;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      let last = 0;
      for (const { start, end, key } of referencesIn(text, github, () => true)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(text.slice(start, end)).toMatch(written);
        expect(text.slice(start, end)).toContain(/\d+$/.exec(key)?.[0]);
        last = end;
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  '#',
  '#1',
  'a/',
  '/',
  '`',
  '``` ',
  '<!--',
  '<pre>',
  '{code}',
  '{{',
  '[',
  '](',
  '> ',
  'A-1',
  'https://',
  '#12 ',
  '\n- ',
  '~~',
])('a megabyte of %j is read in limited time', (piece) => {
  const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
  expect(referencesIn(text, github, () => false)).toEqual([]);
});
