// prose-exception-file: quotes sentences that the check must report
import { describe, expect, test } from 'vitest';
import { faultsOfFile, faultsOfSubject } from './find-faults.ts';

const comment = (text: string) => faultsOfFile('a.ts', `/** ${text} */\nexport const a = 1;\n`);
const found = (text: string) => comment(text).map((fault) => fault.found);

describe('a comment is faulty if it', () => {
  test.each([
    'What of what a flow is bound to is there.',
    'How many of so many new issues are stored, in the transaction of the intake.',
    'Of a text that somebody else has written meanwhile, so much is told.',
    'Issues of which is looked for in one call what their texts imply.',
    'From here on an issue is named to whoever makes one that is similar, though it may be about something else.',
    'Of the issues nearest to a draft, so many are judged, and so many answered.',
    'Of a text, so many characters are compared: what it is about stands there, and others wait meanwhile.',
    'Names as those trackers compare them that have each in the letters in which it was first written.',
    'Of a whole answer it is known how long it is, and a short one is sent as it is.',
    'To a token that lost the project every issue of it is gone.',
    'Whether it cannot be told of a call of this tool, once it was begun, if it was carried out.',
    'Also without issues it keeps others from writing pairs until the transaction ends.',
    'The most a job is tried to be added, each of which a worker can only thwart by taking another job of its key.',
    'Of those who edit the same issue at once, or make the same one, the first one wins. Called by the ledger.',
    'What is told of what nobody but the operator can mend.',
    'Whether each point is found by the search; null when nothing is searched for.',
    'What was read of an account was read so many days before.',
    'The content hashes of an issue with these texts: that a state is another makes no issue readier.',
    'What has no known cost in part is told with what is known of it; where nothing is known there is no cost to tell.',
    'unless one that says the same is there: then that one is answered',
  ])('reads "%s"', (text) => {
    expect(found(text).filter((words) => !words.endsWith('columns'))).not.toEqual([]);
  });

  test('has a line over 100 columns or a sentence over 25 words', () => {
    const words = Array.from({ length: 26 }, () => 'ab').join(' ');
    expect(found(`${words}.`)).toEqual(['26 words']);
    expect(found(`Returns ${'x'.repeat(100)}.`)).toEqual(['116 columns']);
  });
});

test('a comment in plain English passes', () => {
  expect(
    comment('Returns how many of `count` new issues may be inserted. Runs inside the intake transaction.'),
  ).toEqual([]);
});

test('a fault names the line where its sentence begins', () => {
  const source =
    '/**\n * Returns the page.\n * Whether it is the last one\n * is unknown.\n */\nexport const a = 1;\n';
  expect(faultsOfFile('a.ts', source)).toEqual([{ line: 3, found: 'Whether', instead: '"True if …"' }]);
});

test('visible texts follow the word rules but not the opening rules', () => {
  expect(
    faultsOfFile('a.tsx', "export const A = () => <p title='What is it for'>Ask whoever runs this.</p>;"),
  ).toEqual([expect.objectContaining({ found: 'whoever' })]);
});

test('code is not checked as prose', () => {
  expect(
    faultsOfFile('a.ts', "const q = sql`select what was told of nobody`;\nimport 'whoever is there';\n"),
  ).toEqual([]);
  expect(
    faultsOfFile('a.md', 'Run it.\n\n```\nwhoever is there\n```\n\n| whoever | runs | this |\n'),
  ).toEqual([]);
});

test('the comments of stylesheets and scripts are checked', () => {
  expect(faultsOfFile('a.css', 'a { color: red; }\n/* Somebody else. */\n')).toEqual([
    expect.objectContaining({ line: 2, found: 'Somebody' }),
  ]);
  expect(faultsOfFile('a.sh', 'ls\n# Somebody else.\n')).toEqual([expect.objectContaining({ line: 2 })]);
});

test('an exception covers the next line, or the whole file, and states its reason', () => {
  const fault = '/** Whoever runs this. */\n';
  const inFile = (mark: string) =>
    faultsOfFile('a.ts', `// ${mark}\n${fault}${fault}`).map(({ line }) => line);
  expect(inFile('prose-exception: quoted by the specification')).toEqual([3, 3]);
  expect(inFile('prose-exception-file: quotes the tracker')).toEqual([]);
  expect(inFile('prose-exception:')).toContain(2);
});

test('a commit subject has at most 72 characters and follows the word rules', () => {
  expect(faultsOfSubject('auth: lock session before token to avoid a deadlock with account removal')).toEqual(
    [],
  );
  expect(
    faultsOfSubject(
      'Lock a session before its token, so that removing an account and renewing a session never wait in a circle',
    ),
  ).toEqual([expect.objectContaining({ instead: 'at most 72 characters' })]);
  expect(faultsOfSubject('sync: tell whoever asks')).toEqual([expect.objectContaining({ found: 'whoever' })]);
});
