import { expect, test } from 'vitest';
import { indexIssue, rescale } from './indexed-issue.ts';
import { IndexedIssues } from './indexed-issues.ts';
import { denseFrom } from './row-search.ts';
import { VectorScan } from './vector-scan.ts';

function scaled(dimensions: number, seed: number) {
  let state = seed + 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
  const scale = {
    idf: new Float64Array(0),
    unseen: 1,
    center: Float64Array.from({ length: dimensions }, () => next() * 0.02),
  };
  const read = (id: string, hasVector: boolean) => {
    // A few large numbers among many small ones. This is the worst case for rounding to 8 bits.
    const vector = Float32Array.from({ length: dimensions }, () => (next() - 0.4) ** 5);
    const document = { id, group: '', title: '', body: '', createdAt: 0, vector: hasVector ? vector : null };
    const issue = indexIssue(document, () => 0);
    rescale(issue, scale);
    return issue;
  };
  return { scale, read };
}

test.each([3, 8, 16, 100, 384, 768, 1024])(
  'returns a close upper bound of each cosine of vectors with %i numbers',
  (dimensions) => {
    const { scale, read } = scaled(dimensions, dimensions);
    const issues = new IndexedIssues();
    const scan = new VectorScan(issues);
    const put = (id: string, hasVector = true) => scan.changed(issues.put(read(id, hasVector)));
    for (let number = 0; number < 300; number += 1) put(`i${number}`, number % 7 !== 0);
    const check = () => {
      const query = read('query', true);
      const bounds = scan.bounds(query, scale);
      const denseTo = denseFrom(query, scale);
      for (const slot of issues.slots()) {
        const other = issues.at(slot);
        if (other === null) continue;
        const bound = bounds?.[slot] ?? Number.NaN;
        const exact = denseTo?.(other) ?? 0;
        expect(bound).toBeGreaterThanOrEqual(exact - 1e-6);
        expect(bound).toBeLessThan(exact + (other.vector === null ? 1e-9 : 0.1));
      }
    };
    check();
    put('i8');
    for (let number = 300; number < 900; number += 1) put(`i${number}`);
    scan.changed(issues.remove('i5'));
    check();
    scale.center.fill(0);
    for (const slot of issues.slots()) {
      const issue = issues.at(slot);
      if (issue !== null) rescale(issue, scale);
    }
    scan.rescaled();
    check();
  },
);

test('returns null for a query without a vector', () => {
  const { scale, read } = scaled(8, 1);
  expect(new VectorScan(new IndexedIssues()).bounds(read('query', false), scale)).toBeNull();
});
