import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchClusters } from './match-clusters.ts';

const ids = () => {
  let next = 0;
  return () => {
    next += 1;
    return `new-${next}`;
  };
};
const was = (id: string, ...members: string[]) => ({ id, members, name: `Name of ${id}` });

test('a cluster keeps its id and name while issues are added and removed', () => {
  const { clusters, events } = matchClusters([was('one', 'a', 'b', 'c')], [['b', 'c', 'd']], ids());
  expect(clusters).toEqual([{ id: 'one', members: ['b', 'c', 'd'], previous: was('one', 'a', 'b', 'c') }]);
  expect(events).toEqual([{ type: 'changed', id: 'one', added: ['d'], removed: ['a'] }]);
});

test('the larger part of a split cluster keeps the id', () => {
  const { clusters, events } = matchClusters(
    [was('one', 'a', 'b', 'c', 'd', 'e')],
    [
      ['a', 'b'],
      ['c', 'd', 'e'],
    ],
    ids(),
  );
  expect(clusters.map(({ id }) => id)).toEqual(['new-1', 'one']);
  expect(events).toContainEqual({ type: 'split', id: 'one', into: ['new-1'] });
});

test('a join is reported, and the absorbed cluster is dissolved', () => {
  const previous = [was('one', 'a', 'b'), was('two', 'c', 'd', 'e')];
  const { clusters, events } = matchClusters(previous, [['a', 'b', 'c', 'd', 'e']], ids());
  expect(clusters.map(({ id }) => id)).toEqual(['two']);
  expect(events).toContainEqual({ type: 'joined', id: 'two', from: ['one'] });
  expect(events).toContainEqual({ type: 'dissolved', id: 'one' });
});

test('a cluster with few of the previous issues does not continue the previous cluster', () => {
  const { clusters, events } = matchClusters([was('one', 'a', 'b', 'c', 'd')], [['a', 'x', 'y', 'z']], ids());
  expect(clusters.map(({ id }) => id)).toEqual(['new-1']);
  expect(events).toContainEqual({ type: 'dissolved', id: 'one' });
});

test('a dissolved cluster is restored when its issues return, unless a current cluster matches equally well', () => {
  const dissolved = was('old', 'a', 'b');
  expect(matchClusters([dissolved], [['a', 'b']], ids()).clusters[0]?.previous).toEqual(dissolved);
  expect(matchClusters([was('one', 'a', 'b'), dissolved], [['a', 'b']], ids()).clusters[0]?.id).toBe('one');
});

const ISSUES = Array.from({ length: 12 }, (_, at) => `i${at}`);
const partition = fc
  .array(fc.nat(4), { minLength: ISSUES.length, maxLength: ISSUES.length })
  .map((places) =>
    [...Map.groupBy(ISSUES, (_, at) => places[at]).values()].filter(({ length }) => length > 1),
  );

test('each previous id is used at most once, and every previous cluster is accounted for', () => {
  fc.assert(
    fc.property(partition, partition, (before, after) => {
      const newId = ids();
      const previous = matchClusters([], before, newId).clusters;
      const { clusters, events } = matchClusters(previous, after, newId);
      const now = clusters.map(({ id }) => id);
      expect(new Set(now).size).toBe(now.length);
      const dissolved = events.flatMap((event) => (event.type === 'dissolved' ? [event.id] : []));
      const continued = previous.map(({ id }) => id).filter((id) => now.includes(id));
      expect([...continued, ...dissolved].toSorted()).toEqual(previous.map(({ id }) => id).toSorted());
    }),
  );
});

test('equal clusters keep their ids, and nothing is reported', () => {
  fc.assert(
    fc.property(partition, (members) => {
      const newId = ids();
      const previous = matchClusters([], members, newId).clusters;
      const { clusters, events } = matchClusters(previous, members, newId);
      expect(clusters.map(({ id }) => id)).toEqual(previous.map(({ id }) => id));
      expect(events).toEqual([]);
    }),
  );
});
