import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Constraint, clusterPairs, type Link, updateClusters } from './clusters.ts';

const link = (a: string, b: string, probability: number): Link => ({ a, b, probability });
const must = (a: string, b: string, source: Constraint['source'] = 'decision'): Constraint => {
  return { a, b, type: 'must', source, reason: `${a} is ${b}` };
};
const cannot = (a: string, b: string, source: Constraint['source'] = 'decision'): Constraint => {
  return { a, b, type: 'cannot', source, reason: `${a} is not ${b}` };
};
const cluster = (links: Link[], constraints: Constraint[] = [], threshold = 0.3) =>
  clusterPairs({ links, constraints }, { threshold });

test('a chain of issues is split, because the average over all pairs counts', () => {
  const chain = [link('a', 'b', 0.5), link('b', 'c', 0.45), link('c', 'd', 0.5)];
  expect(cluster(chain).clusters).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('an issue joins a cluster by its average link, even if one of its links is weak', () => {
  const links = [link('a', 'b', 0.9), link('a', 'c', 0.35), link('b', 'c', 0.28)];
  expect(cluster(links).clusters).toEqual([['a', 'b', 'c']]);
});

test('issues with a cannot-link stay apart, even if other issues connect them', () => {
  const links = [link('a', 'b', 0.9), link('b', 'c', 0.8), link('a', 'c', 0.7)];
  expect(cluster(links, [cannot('a', 'c', 'rule')]).clusters).toEqual([['a', 'b']]);
});

test('a must-link puts two issues into one cluster without a pair, and counts as probability 1', () => {
  const links = [link('b', 'c', 0.9)];
  expect(cluster(links, [must('a', 'b')]).clusters).toEqual([['a', 'b', 'c']]);
  expect(cluster([link('b', 'c', 0.5)], [must('a', 'b')]).clusters).toEqual([['a', 'b']]);
});

test('a cannot-link is reported as a conflict, with the chain of stronger must-links against it', () => {
  const [first, second] = [must('a', 'b', 'tracker'), must('b', 'c', 'tracker')];
  const ignored = cannot('a', 'c', 'rule');
  expect(cluster([], [ignored, second, first])).toEqual({
    clusters: [['a', 'b', 'c']],
    conflicts: [{ ignored, because: [first, second] }],
  });
});

test('a difference is stronger than a statement, and a decision is stronger than a relation in the tracker', () => {
  const [apart, stated] = [cannot('a', 'b', 'rule'), must('a', 'b', 'statement')];
  expect(cluster([], [stated, apart])).toEqual({
    clusters: [],
    conflicts: [{ ignored: stated, because: [apart] }],
  });
  const [decided, related] = [cannot('a', 'b', 'decision'), must('a', 'b', 'tracker')];
  expect(cluster([], [related, decided]).conflicts).toEqual([{ ignored: related, because: [decided] }]);
});

test('issues stay apart if equally strong constraints contradict each other', () => {
  const constraints = [must('a', 'b'), must('b', 'c'), cannot('a', 'c')];
  const { clusters, conflicts } = cluster([], constraints);
  expect(clusters).toEqual([['a', 'b']]);
  expect(conflicts).toEqual([{ ignored: must('b', 'c'), because: [cannot('a', 'c')] }]);
});

const clique = (size: number, probability: number): Link[] =>
  Array.from({ length: size }, (_, a) =>
    Array.from({ length: a }, (__, b) => link(`i${100 + b}`, `i${100 + a}`, probability)),
  ).flat();

test('a cluster with an average link below 0.5 has at most 25 issues', () => {
  const sizes = (links: Link[]) => cluster(links).clusters.map(({ length }) => length);
  expect(sizes(clique(30, 0.6))).toEqual([30]);
  expect(Math.max(...sizes(clique(30, 0.4)))).toBeLessThanOrEqual(25);
});

const IDS = Array.from({ length: 14 }, (_, at) => `i${at + 10}`);
const pairOf = fc.tuple(fc.constantFrom(...IDS), fc.constantFrom(...IDS)).filter(([a, b]) => a < b);
const byPair = { selector: ({ a, b }: { a: string; b: string }) => `${a} ${b}` };
const someLinks = fc.uniqueArray(
  fc.tuple(pairOf, fc.integer({ min: 0, max: 20 })).map(([[a, b], level]) => link(a, b, level / 20)),
  { ...byPair, maxLength: 45 },
);
const someConstraints = fc.uniqueArray(
  fc
    .tuple(
      pairOf,
      fc.constantFrom('must', 'cannot'),
      fc.constantFrom('decision', 'tracker', 'rule', 'statement'),
    )
    .map(([[a, b], type, source]): Constraint => ({ a, b, type, source, reason: '' })),
  { ...byPair, maxLength: 12 },
);

test('the order of the input does not change the clusters', () => {
  fc.assert(
    fc.property(someLinks, someConstraints, (links, constraints) => {
      const swapped = links.toReversed().map(({ a, b, probability }) => link(b, a, probability));
      expect(cluster(swapped, constraints.toReversed())).toEqual(cluster(links, constraints));
    }),
    { numRuns: 300 },
  );
});

/** A slow reference implementation of average linkage. It compares all groups before each merge. */
function naiveClusters(links: readonly Link[], threshold: number): string[][] {
  const linkOf = new Map(links.map(({ a, b, probability }) => [`${a} ${b}`, probability]));
  const probability = (a: string, b: string) => linkOf.get(a < b ? `${a} ${b}` : `${b} ${a}`) ?? 0;
  let groups = IDS.map((id) => [id]);
  for (;;) {
    let best = { average: threshold - 2e-12, one: groups[0], other: groups[0] };
    for (const one of groups) {
      for (const other of groups) {
        if ((one[0] ?? '') >= (other[0] ?? '')) continue;
        const sum = one.flatMap((a) => other.map((b) => probability(a, b))).reduce((x, y) => x + y, 0);
        const average = sum / (one.length * other.length);
        if (average > best.average + 1e-12) best = { average, one, other };
      }
    }
    const { one, other } = best;
    if (one === other || one === undefined || other === undefined) break;
    const rest = groups.filter((group) => group !== one && group !== other);
    groups = [...rest, [...one, ...other].sort()].sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
  }
  return groups.filter(({ length }) => length > 1);
}

test('the clusters are the same as those of a slow reference implementation', () => {
  fc.assert(
    fc.property(someLinks, (links) => {
      expect(cluster(links).clusters).toEqual(naiveClusters(links, 0.3));
    }),
    { numRuns: 300 },
  );
});

test('clusters satisfy every constraint that is not reported as a conflict', () => {
  fc.assert(
    fc.property(someLinks, someConstraints, (links, constraints) => {
      const { clusters, conflicts } = cluster(links, constraints);
      const clusterOf = new Map(clusters.flatMap((members) => members.map((id) => [id, members] as const)));
      const ignored = new Set(conflicts.map((conflict) => conflict.ignored));
      for (const constraint of constraints) {
        if (ignored.has(constraint)) continue;
        const mates = clusterOf.get(constraint.a)?.includes(constraint.b) ?? false;
        expect(mates).toBe(constraint.type === 'must');
      }
      for (const { because } of conflicts) expect(because.length).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
});

const byIssue = <Pair extends { a: string; b: string }>(pairs: readonly Pair[]) => {
  return (id: string): Pair[] => pairs.filter(({ a, b }) => a === id || b === id);
};
const endsOf = (pairs: readonly { a: string; b: string }[]) => pairs.flatMap(({ a, b }) => [a, b]);

test('an update has the same result as clustering all issues', () => {
  const edited = fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 2 });
  const ofConstraints = fc.record({ before: someConstraints, dropped: fc.nat(11), added: someConstraints });
  fc.assert(
    fc.property(
      someLinks,
      someLinks,
      edited,
      ofConstraints,
      (links, otherLinks, ids, { before, dropped, added }) => {
        const isOfEdited = ({ a, b }: Link) => ids.includes(a) || ids.includes(b);
        const nextLinks = [...links.filter((old) => !isOfEdited(old)), ...otherLinks.filter(isOfEdited)];
        const isNew = ({ a, b }: Constraint) => !before.some((old) => old.a === a && old.b === b);
        const more = added.filter(isNew).slice(0, 1);
        const nextConstraints = [...before.filter((_, at) => at !== dropped), ...more];
        const changed = [...ids, ...endsOf(before.slice(dropped, dropped + 1)), ...endsOf(more)];
        const previous = cluster(links, before).clusters.map((members) => ({ members }));
        const source = { linksOf: byIssue(nextLinks), constraintsOf: byIssue(nextConstraints) };
        const update = updateClusters(previous, changed, source, { threshold: 0.3 });
        const remaining = previous
          .filter((old) => !update.replaced.includes(old))
          .map(({ members }) => members);
        const updated = [...remaining, ...update.clusters].toSorted((a, b) =>
          (a[0] ?? '') < (b[0] ?? '') ? -1 : 1,
        );
        expect(updated).toEqual(cluster(nextLinks, nextConstraints).clusters);
      },
    ),
    { numRuns: 2000 },
  );
});

test('an update does not replace clusters that the change cannot affect', () => {
  const links = [link('a', 'b', 0.9), link('c', 'd', 0.9), link('b', 'c', 0.1)];
  const previous = [{ members: ['a', 'b'] }, { members: ['c', 'd'] }];
  const source = { linksOf: byIssue(links), constraintsOf: () => [] };
  const { clusters, replaced, region } = updateClusters(previous, ['a'], source, { threshold: 0.3 });
  expect({ clusters, replaced, region }).toEqual({
    clusters: [['a', 'b']],
    replaced: [{ members: ['a', 'b'] }],
    region: ['a', 'b'],
  });
});

test('an update does not replace distant clusters of a large connected component', () => {
  const at = (number: number) => `i${number + 100}`;
  // A chain of pairs. The link within each pair is strong, and the link to the next pair is weak.
  const links = Array.from({ length: 99 }, (_, number) =>
    link(at(number), at(number + 1), number % 2 === 0 ? 0.9 : 0.35),
  );
  const previous = cluster(links).clusters.map((members) => ({ members }));
  const changed = links.map((old, number) => (number === 51 ? { ...old, probability: 0.95 } : old));
  const source = { linksOf: byIssue(changed), constraintsOf: () => [] };
  const update = updateClusters(previous, [at(51), at(52)], source, { threshold: 0.3 });
  const remaining = previous.filter((old) => !update.replaced.includes(old)).map(({ members }) => members);
  const all = [...remaining, ...update.clusters].toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
  expect(all).toEqual(cluster(changed).clusters);
  expect(update.region.length).toBeLessThan(10);
});
