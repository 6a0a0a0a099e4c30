// prose-exception-file: sample sentences of issues
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { impliedDependencies } from './implied.ts';

const idf = (term: string): number => (term.length < 4 ? 0 : 5);

interface Draft {
  title: string;
  body?: string;
  type?: string | null;
}

/**
 * Returns the dependencies found among issues that are numbered from 1, as "source > dependent".
 */
function implied(...drafts: Draft[]): string[] {
  const issues = drafts.map(({ title, body = '', type = 'task' }, at) => ({
    key: `acme/app#${at + 1}`,
    url: null,
    title,
    body,
    type,
  }));
  return impliedDependencies(issues, { idf }).map(({ source, dependent }) =>
    `${source} > ${dependent}`.replaceAll('acme/app#', ''),
  );
}

const retryQueue = {
  title: 'Add a retry queue for outgoing mail',
  body: 'Messages that bounce are tried again.',
};

describe('one issue requires a deliverable of the other by name', () => {
  test.each([
    ['once it is there', 'Once the retry queue exists, the digest can drop its own timer.'],
    ['as soon as there is one', 'As soon as there is a retry queue we can drop the timer.'],
    ['until it is there', 'The timer stays until the retry queue is in place.'],
    ['not without it', 'This cannot be done without the retry queue.'],
    ['depends on it', 'Depends on the retry queue.'],
    ['waits for it', 'Waiting for the retry queue to land.'],
    ['builds on it', 'It builds on the mail retry queue.'],
    ['needs it', 'The digest needs the retry queue.'],
    ['uses the new one', 'The digest uses the new retry queue for this.'],
  ])('%s', (_what, body) => {
    expect(implied(retryQueue, { title: 'Send the digest at night', body })).toEqual(['1 > 2']);
    expect(implied({ title: 'Send the digest at night', body }, retryQueue)).toEqual(['2 > 1']);
  });

  test.each([
    [
      'moves to it',
      { title: 'Migrate sessions to the token service' },
      'People ask for a compact layout of their lists. It requires the token service.',
    ],
    [
      'names it alone',
      { title: 'Event journal', type: 'feature' },
      'Cannot replay anything without an event journal.',
    ],
    [
      'says so in its text',
      { title: 'Work on exports', body: 'This adds a column picker to the dialog.' },
      'Depends on the column picker.',
    ],
  ])('which %s', (_what, source, body) => {
    expect(implied(source, { title: 'Let people choose a layout', body })).toEqual(['1 > 2']);
  });
});

describe('one issue requires in other words what the other describes', () => {
  const tiles = {
    title: 'Tile endpoint: zoom levels and regions as pictures',
    body: 'Answers tiles of 256 pixels for a zoom level and a region.',
    type: 'feature',
  };
  const title = 'Offline maps on the phone';

  test.each([
    [
      'a duty of another',
      'For this the server has to hand out tiles of 256 pixels for a zoom level and a region.',
    ],
    ['a need', 'The phone needs tiles of 256 pixels for each zoom level and region.'],
    ['what is lacking', 'The server has no tiles of 256 pixels by zoom level and region.'],
  ])('%s', (_what, asks) => {
    const body = `People hike in mountains where nobody has reception at all. ${asks} They load everything at home and leave.`;
    expect(implied(tiles, { title, body })).toEqual(['1 > 2']);
  });

  test.each<[string, Draft, string, ...Draft[]]>([
    ['without asking', tiles, 'The tiles of 256 pixels look blurred at this zoom level and region.'],
    [
      'of a bug',
      { ...tiles, type: 'bug' },
      'The phone needs tiles of 256 pixels for each zoom level and region.',
    ],
    [
      'of two',
      tiles,
      'The phone needs tiles of 256 pixels for each zoom level and region.',
      { ...tiles, title: 'Cache zoom levels and regions of tiles' },
    ],
    ['denied', tiles, 'It does not need tiles of 256 pixels for each zoom level and region.'],
  ])('not %s', (_what, source, asks, ...others) => {
    const body = `People hike in mountains where nobody has reception at all. ${asks} They load everything at home and leave.`;
    expect(implied(source, { title, body }, ...others)).toEqual([]);
  });
});

describe('there is no dependency', () => {
  test.each<[string, ...Draft[]]>([
    [
      'a title of one distinctive word',
      { title: 'The egg', type: 'feature' },
      { title: 'Bake a cake', body: 'Cannot start until the egg is there.' },
    ],
    [
      'one subject only',
      retryQueue,
      { title: 'Retry queue grows without bound', body: 'The retry queue eats memory.', type: 'bug' },
    ],
    [
      'a request for the same',
      retryQueue,
      { title: 'Mail retry queue', body: 'We need a retry queue.', type: 'feature' },
    ],
    [
      'denied',
      retryQueue,
      { title: 'Send the digest at night', body: 'It does not depend on the retry queue.' },
    ],
    ['unsure', retryQueue, { title: 'Send the digest at night', body: 'Maybe it needs the retry queue.' }],
    ['part of it only', retryQueue, { title: 'Send the digest at night', body: 'Depends on the queue.' }],
    [
      'one names the other',
      retryQueue,
      { title: 'Send the digest at night', body: 'Unlike #1 it needs the retry queue.' },
    ],
    [
      'both ways',
      { title: 'Add a retry queue', body: 'Needs the night digest.' },
      { title: 'Add a night digest', body: 'Needs the retry queue.' },
    ],
    [
      'several deliver it',
      retryQueue,
      { title: 'Build a retry queue in the gateway' },
      { title: 'Send the digest', body: 'Depends on the retry queue.' },
    ],
    [
      'another language',
      { title: 'Warteschlange für E-Mails einführen' },
      { title: 'Bericht nachts senden', body: 'Braucht die Warteschlange.' },
    ],
    ['nothing', { title: '' }, { title: '' }],
  ])('%s', (_what, ...drafts) => {
    expect(implied(...drafts)).toEqual([]);
  });

  test('a word that every issue uses implies no dependency', () => {
    const others = Array.from({ length: 30 }, (_, at) => ({
      title: `Retry queue report ${at}`,
      body: 'On the retry queue.',
      type: 'bug',
    }));
    expect(
      implied(retryQueue, { title: 'Send the digest', body: 'Depends on the retry queue.' }, ...others),
    ).toEqual([]);
  });
});

test('the reason quotes the words that imply the dependency', () => {
  const digest = {
    key: 'A-2',
    url: null,
    title: 'Send the digest',
    body: 'Once the retry queue exists, drop the timer.',
    type: null,
  };
  const [found] = impliedDependencies(
    [{ ...retryQueue, key: 'A-1', url: null, type: null, title: 'Add a retry queue' }, digest],
    { idf },
  );
  expect(found?.reason).toBe(
    'The description of A-2 says “Once the retry queue”, and A-1 delivers “a retry queue” according to its title. So A-1 has to be finished before A-2.',
  );
  expect(found?.confidence).toBeLessThan(0.7);
});

test('no issue depends on itself, and no two issues on each other, for any texts', () => {
  const word = fc.constantFrom('queue', 'retry', 'digest', 'journal', 'token', 'service', 'column');
  const thing = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
  const draft = fc.record({
    title: fc
      .tuple(fc.constantFrom('Add a ', 'Fix the ', '', 'Migrate to the '), thing)
      .map((parts) => parts.join('')),
    body: fc
      .array(
        fc.tuple(
          fc.constantFrom('Needs the ', 'Depends on the ', 'Once the ', 'This adds a '),
          thing,
          fc.constantFrom('. ', ' exists, ok. '),
        ),
      )
      .map((sentences) => sentences.flat().join('')),
  });
  fc.assert(
    fc.property(fc.array(draft, { maxLength: 8 }), (drafts) => {
      const found = implied(...drafts);
      expect(new Set(found).size).toBe(found.length);
      for (const pair of found) {
        const [source, dependent] = pair.split(' > ');
        expect(source).not.toBe(dependent);
        expect(found).not.toContain(`${dependent} > ${source}`);
      }
    }),
  );
});

test.each([
  'once the ',
  'needs a queue ',
  'a',
  'cannot ',
  'not without ',
  'this adds a ',
  '. ',
  'once the queue exists. ',
  '本',
])('a megabyte of %j is read in limited time', (piece) => {
  const body = piece.repeat(Math.ceil(1_000_000 / piece.length));
  expect(implied(retryQueue, { title: 'Send the digest', body })).toEqual([]);
});
