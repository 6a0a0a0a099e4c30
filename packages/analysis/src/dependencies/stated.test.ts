// prose-exception-file: sample sentences of issues
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { statedDependencies } from './stated.ts';

const key = 'acme/app#5';

/**
 * Returns each dependency as "source > dependent". Issues of the same project appear as numbers.
 */
function stated(body: string, { title = '', comments = [] as string[] } = {}): string[] {
  return statedDependencies({ key, url: null, title, body }, comments, () => true).map(
    ({ source, dependent }) => `${source} > ${dependent}`.replaceAll('acme/app#', ''),
  );
}

describe('this issue waits for another', () => {
  test.each([
    'Blocked by #12.',
    'This is blocked on #12',
    'This is currently blocked by **#12**.',
    'Depends on #12',
    'depends-on: #12',
    '**Depends on:** [#12](https://github.com/acme/app/issues/12)',
    'It depends on the new storage format ([the issue](https://github.com/acme/app/issues/12)).',
    'This is dependent upon #12 being merged.',
    'There is a hard dependency on #12.',
    'This requires #12 to be merged.',
    'Needs the chunk store from #12.',
    'We need #12 first.',
    'We are waiting for #12 before we can go on.',
    'Waiting on #12.',
    'It relies on the table that #12 adds.',
    'Start this after #12.',
    'Can only be done after #12 is merged.',
    'Once #12 is done, the button can go in.',
    'As soon as #12 lands we can start.',
    'We cannot ship this until #12 is released.',
    'This makes little sense without #12.',
    'This cannot start before #12.',
    'Builds on #12.',
    'Builds on top of the work in #12.',
    'A follow-up to #12.',
    'Prerequisite: #12',
    'The blocker is #12.',
    '#12 blocks this.',
    '#12 is a prerequisite for this issue.',
    '#12 is a blocker.',
    '#12 must land first.',
    '#12 has to be merged before this can start.',
    '#12 unblocks this',
    '#12 is needed for this.',
    'Please do #12 first.',
    'On hold until #12 is decided.',
    'Pending #12.',
    'As discussed in #15, this depends on #12.',
    'Not only does it depend on #12, it is also large.',
    'This is not urgent and depends on #12.',
    'Dies hängt von #12 ab.',
    'Wartet auf #12.',
    'Ist blockiert durch #12.',
    'Das setzt #12 voraus.',
    'Dépend de #12.',
    'Bloqué par #12.',
    'Depende de #12.',
    'Está bloqueado por #12.',
    '| Blocked by | #12 |',
    '## Depends on\n\n- #12',
    '### Blocked by\n#12',
    '## Dependencies\n- [ ] The chunk store (#12)',
    'Prerequisites:\n\n* #12',
    '- Blocked by:\n  - #12',
    '## Subtasks\n- [x] #12\n',
    '- [ ] #12',
    '- [ ] Write the parser (#12)',
    '## Abhängigkeiten\n- #12',
    '**Depends on**\n\n- #12',
    'Blocked until #12 is merged',
    'blocked (#12)',
    '[blocked by #12]',
    'Not before #12.',
    'The prerequisite for this is #12.',
    'First #12, then this.',
    'Waiting for the upstream fix #12',
    'Will be unblocked by #12',
    'This has been blocked by #12 for months.',
    'We need the new index (see #12) for this.',
    'Could be blocked by #12',
    'When #12 is done, we can delete it.',
    'After #12 is in, remove the flag.',
    'Related: #12 (blocks this one)',
    'Land #12 before starting here',
    'We agreed to do #12 first.',
    'Dependency: #12 (closed)',
    'h2. Depends on\n* #12',
    'Kann erst beginnen, wenn #12 erledigt ist.',
    'Wird von #12 blockiert.',
    'En attente de #12',
  ])('%s', (text) => {
    expect(stated(text)).toEqual(['12 > 5']);
    expect(stated(text.replaceAll('\n', '\r\n'))).toEqual(['12 > 5']);
  });
});

describe('another issue waits for this one', () => {
  test.each([
    'Blocks #12.',
    'This blocks #12.',
    'This is blocking #12',
    'This is a prerequisite for #12.',
    'A blocker for #12.',
    'It is needed for #12.',
    'Required by #12',
    'This unblocks #12.',
    'This must land before #12.',
    'This should be done before we start on #12.',
    '#12 depends on this.',
    '#12 is blocked by this issue.',
    '#12 waits for this.',
    '#12 needs this first.',
    'Makes #12 possible.',
    'Lays the groundwork for #12.',
    'Dies blockiert #12.',
    '## Blocks\n- #12',
    'Unblocks:\n- #12',
    '#12 can only start after this.',
    '#12 cannot be finished without this.',
    'Nobody can work on #12 before this is done.',
    'Once this is in, #12 can start.',
    'As soon as this lands we can do #12.',
    'We need this for #12.',
    'That takes care of #12.',
    'Has to land before #12 can be started.',
  ])('%s', (text) => {
    expect(stated(text)).toEqual(['5 > 12']);
  });
});

describe('the text states no dependency', () => {
  test.each([
    'See also #12.',
    'Related to #12.',
    'Duplicate of #12.',
    'Similar to #12.',
    'Fixes #12. Closes #13.',
    'Not blocked by #12.',
    'This is not blocked by #12 any more.',
    'It no longer depends on #12.',
    "It doesn't depend on #12.",
    'Does not need #12.',
    'This is independent of #12.',
    'It was blocked by #12 until last week.',
    'There is no dependency on #12.',
    'This can be done without #12.',
    'We need not wait for #12.',
    'We can do this without waiting for #12.',
    'Does this depend on #12?',
    'If this depends on #12, tell me.',
    'After #12 was merged the app crashes.',
    'Since #12 the app is slow. After #12 it got slower.',
    'It worked before #12.',
    'It worked until #12 was merged.',
    '~~Blocked by #12~~',
    '`Blocked by #12`',
    '> Blocked by #12\n\nNo, it is not.',
    'This needs more tests, see #12.',
    'It needs the same fix as #12.',
    'Requires a restart, as described in #12.',
    'Code blocks #12 and #13 look odd.',
    '## Related\n- [ ] #12',
    '## Dependencies\nNone. See #12 for the background.',
    '## See also\n- #12',
    '## Acceptance criteria\n- [ ] It looks like in #12',
    'Hängt nicht von #12 ab.',
    "Ce n'est pas bloqué par #12.",
    'No depende de #12.',
    'Neither blocks nor is blocked by #12.',
    'I need help with #12.',
    'Once merged, #12 can be closed.',
    'When I opened #12 it crashed.',
    'Since #12 landed, this fails.',
    'This happened after the fix of #12.',
    'Neither #12 nor #13 blocks this.',
    '#12 no longer blocks this.',
    '#12 is not needed for this.',
    '#12 was a blocker for this, it is done now.',
    'This should not block #12.',
    'It was waiting for #12, which is merged now.',
    'Used to depend on #12.',
    'Rather than depend on #12, we copy the code.',
    'I thought this depends on #12 but it does not.',
    'This is blocked by the same bug as #12.',
    'Not sure whether it is blocked by #12.',
    'Dependencies: none, see #12 for why',
    'Part of #12',
    '## Blocked by\n\nNothing any more (was #12)',
    '## Steps to reproduce\n1. Open #12',
  ])('%s', (text) => {
    expect(stated(text)).toEqual([]);
  });
});

describe('the text states several dependencies', () => {
  test.each([
    ['Blocked by #12, #13 and lib#14.', ['12 > 5', '13 > 5', 'acme/lib#14 > 5']],
    ['Depends on #12 (the store), #13 (the journal)', ['12 > 5', '13 > 5']],
    ['Depends on #12 and blocks #13.', ['12 > 5', '5 > 13']],
    ['Depends on #12 and #13 is unrelated.', ['12 > 5']],
    ['#12 and #13 block this.', ['12 > 5', '13 > 5']],
    ['#12 depends on #13.', ['13 > 12']],
    ['Waits for #12, which depends on #13.', ['12 > 5', '13 > 12']],
    ['#12 is blocked by #13 and blocks #14.', ['13 > 12', '12 > 14']],
    ['#12 must be merged before #13.', ['12 > 13']],
    ['- [ ] #12\n- [x] #13 the rest\n- [ ] text', ['12 > 5', '13 > 5']],
    ['Blocked by:\n- #12\n- #13\n\nSee also:\n- #14', ['12 > 5', '13 > 5']],
    ['Blocked by #12\nRelated to #13', ['12 > 5']],
    ['Depends on: #12; blocks: #13', ['12 > 5', '5 > 13']],
    ['Do this after #12 and before #13.', ['12 > 5', '5 > 13']],
    ['It depends on #12, not on #13.', ['12 > 5']],
    ['Depends on #12; no longer on #13.', ['12 > 5']],
    ['Duplicate of #12, blocked by #13', ['13 > 5']],
    ['#12, #13 and #14 all depend on this.', ['5 > 12', '5 > 13', '5 > 14']],
    ['Needs the schema from #12 and the endpoint from #13.', ['12 > 5', '13 > 5']],
  ])('%s', (text, expected) => {
    expect(stated(text).sort()).toEqual([...expected].sort());
  });
});

test('dependencies are also found in titles', () => {
  expect(stated('', { title: '[blocked by #12] Export to PDF' })).toEqual(['12 > 5']);
});

test('a later comment revokes earlier statements', () => {
  const comments = ['Waits for #13.', 'This no longer depends on #12.'];
  expect(stated('Depends on #12.', { comments })).toEqual(['13 > 5']);
});

test('each dependency has a position, a reason and a confidence', () => {
  const body = 'Some words.\r\n\r\nThis is **blocked by** acme/lib#3 (the store).';
  const [found] = statedDependencies({ key, url: null, title: 'T', body }, [], () => true);
  expect(found).toMatchObject({ source: 'acme/lib#3', dependent: key, confidence: 0.95 });
  expect(body.slice(found?.evidence.start, found?.evidence.end)).toBe('blocked by** acme/lib#3');
  expect(found?.evidence.where).toBe('description');
  expect(found?.reason).toBe(
    'The description of acme/app#5 says “blocked by acme/lib#3”: acme/lib#3 has to be finished before acme/app#5.',
  );
});

test.each([
  ['Blocked by #12', 0.9, 1],
  ['## Depends on\n- #12', 0.85, 0.9],
  ['- [ ] #12', 0.85, 0.9],
  ['A follow-up to #12', 0.5, 0.85],
  ['This might depend on #12', 0.5, 0.85],
])('the confidence of “%s” is between %f and %f', (body, least, most) => {
  const [found] = statedDependencies({ key, url: null, title: '', body }, [], () => true);
  expect(found?.confidence).toBeGreaterThanOrEqual(least);
  expect(found?.confidence).toBeLessThanOrEqual(most);
});

test('the evidence is a valid range of the text, for any text', () => {
  const piece = fc.constantFrom(
    ...[
      '#12',
      ' #13 ',
      'lib#3',
      ' blocked by ',
      ' depends on ',
      ' blocks ',
      ' until ',
      ' is done ',
      ' after ',
      ' this ',
      'and ',
      ', ',
    ],
    ...[
      '- [ ] ',
      '\n',
      '\n\n',
      '\r\n',
      '## Depends on\n',
      '(',
      ')',
      '**',
      '~~',
      '`',
      '> ',
      '. ',
      'not ',
      '\uE000',
      '[',
      '](',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const body = pieces.join('');
      for (const each of statedDependencies({ key, url: null, title: '', body }, [], () => true)) {
        expect(each.source).not.toBe(each.dependent);
        expect(body.slice(each.evidence.start, each.evidence.end)).toMatch(/#\d/);
        expect(each.confidence).toBeGreaterThan(0);
        expect(each.confidence).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  '#12 ',
  'blocked by ',
  'depends on #12, ',
  '#12 and ',
  '- [ ] #12\n',
  'not ',
  '#12 must ',
  '[#12](',
  'after #12 ',
  '\uE000',
  '## #12\n',
  '  - a:\n',
  '(#12 ',
  '#12 (a)(is)( ) which, which blocks ',
  '#12 must be first, needs #13 ',
  '[a](#12) ',
  'not a ',
])('a megabyte of %j is read in limited time', (piece) => {
  const body = `${piece.repeat(Math.ceil(1_000_000 / piece.length))}\n\nBlocked by #77.`;
  expect(stated(body).filter((each) => each === '77 > 5').length).toBeLessThanOrEqual(1);
});
