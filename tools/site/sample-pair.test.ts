import { textForEmbedding } from '@winnow/analysis/clean';
import { Corpus } from '@winnow/analysis/corpus';
import { openMiniLm } from '@winnow/analysis/embed';
import { explainPair } from '@winnow/analysis/explain';
import { probabilityOf } from '@winnow/analysis/likelihood';
import { NeighbourPool } from '@winnow/analysis/neighbours';
import type { PairScores } from '@winnow/analysis/pair-table';
import { termWeights } from '@winnow/analysis/snapshot';
import { judgePair, type RuleVerdict } from '@winnow/analysis/verdict';
import { LIKELIHOOD, SIMILARITY } from '@winnow/contract/duplicate';
import { VERDICT_DECISIONS } from '@winnow/contract/verdict';
import { expect, test } from 'vitest';
import { readSampleBacklog } from '../../packages/server/src/trackers/sample/backlog/read-backlog.ts';
import { SAMPLE_PAIR, type SampleIssueText } from '../../packages/web/src/site/content/sample-pair.ts';
import { STORED_LIMITS } from '../bench/shared/comparison-corpus.ts';

const backlog = readSampleBacklog().flatMap(({ identifier, issues }) =>
  issues.map((issue) => ({ ...issue, key: `${identifier}#${issue.number}`, group: identifier })),
);
const { older, newer, parts, similarity } = SAMPLE_PAIR;
const SHOWN = [older, newer];
type SampleText = (typeof backlog)[number];
type Sample = { corpus: Corpus; idf: (term: string) => number };

function issueOf({ key }: SampleIssueText): SampleText {
  return issueAt(key);
}

function issueAt(key: string): SampleText {
  const issue = backlog.find((candidate) => candidate.key === key);
  if (issue === undefined) throw new Error(`The sample backlog has no ${key}.`);
  return issue;
}

/** Opens the sample backlog as the product does. */
async function openSample(): Promise<Sample & AsyncDisposable> {
  const [neighbours, embedder] = [new NeighbourPool({ workers: 1 }), await openMiniLm()];
  const vectors = await embedder.embed(backlog.map(({ title, body }) => textForEmbedding(title, body)));
  const corpus = new Corpus({ neighbours, dimensions: embedder.dimensions });
  corpus.put(
    backlog.map(({ key, group, title, body, createdDaysAgo }, at) => ({
      id: key,
      group,
      title,
      body,
      vector: vectors[at] ?? null,
      createdAt: -createdDaysAgo,
    })),
  );
  const snapshot = corpus.takeSnapshot(1);
  corpus.useSnapshot(snapshot);
  const close = async (): Promise<void> => {
    await Promise.all([neighbours.close(), embedder.close()]);
  };
  return { corpus, idf: termWeights(snapshot), [Symbol.asyncDispose]: close };
}

/**
 * Judges two open issues as the product does. Since both are open, the state of the older issue has
 * no effect.
 */
function judge(
  first: SampleText,
  second: SampleText,
  { idf }: Sample,
  pair: Partial<PairScores>,
): RuleVerdict {
  const { similarity = 0, logOdds = Number.NEGATIVE_INFINITY, isMutualBest = false } = pair;
  const probability = probabilityOf(logOdds);
  const likelihood = { probability, isMutualBest, seriesFrame: null, marks: LIKELIHOOD };
  return judgePair(first, second, { similarity, marks: SIMILARITY, idf, likelihood });
}

/** Returns the shared passages of a displayed text, in order. */
function passagesOf({ lines }: SampleIssueText): string[] {
  const passages: string[] = [];
  for (const piece of lines.flatMap(({ pieces }) => pieces)) {
    if (typeof piece !== 'string') passages[piece.shared - 1] = piece.text;
  }
  return passages;
}

test('the landing page shows two open issues of the sample backlog that report the same fault', () => {
  expect(issueOf(newer).truth.duplicateOf).toBe(older.key);
  for (const shown of SHOWN) {
    const { title, author, body, state } = issueOf(shown);
    expect(shown).toMatchObject({ title, author });
    expect(state).toBe('opened');
    const plain = body
      .replaceAll('`', '')
      .split('\n')
      .map((line) => line.trim());
    for (const { kind, pieces } of shown.lines) {
      const line = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
      if (kind !== 'gap') expect(plain).toContain(line);
    }
  }
});

test('the landing page shows the numbers and passages that the product computes for that pair', async () => {
  await using sample = await openSample();
  const found = await sample.corpus.similar(
    { id: older.key },
    { limit: 1, filter: (id) => id === newer.key },
  );
  // Embeddings differ slightly between processors, so only the first digits are compared.
  expect(found[0]?.similarity).toBeCloseTo(similarity, 3);

  const [first, second] = [issueOf(older), issueOf(newer)];
  const evidence = explainPair(first, second, sample.idf);
  expect(Object.fromEntries(parts.map(({ name, share }) => [name, share]))).toEqual({
    Title: Number(evidence.title.toFixed(2)),
    Body: Number(evidence.body.toFixed(2)),
    'Error text': Number(evidence.error_text?.toFixed(2)),
  });
  expect(passagesOf(older)).toEqual(evidence.shared.map(({ in1 }) => first.body.slice(...in1)));
  expect(passagesOf(newer)).toEqual(evidence.shared.map(({ in2 }) => second.body.slice(...in2)));

  const pairs = (await sample.corpus.pairs(STORED_LIMITS)).sorted();
  const pair = pairs.find(({ a, b }) => [older.key, newer.key].every((key) => key === a || key === b));
  const judged = judge(first, second, sample, { ...pair, similarity });
  expect(VERDICT_DECISIONS[judged.decision].label).toBe(SAMPLE_PAIR.verdict);
});

test('the product finds duplicates with different titles in the sample, and no wrong ones', async () => {
  await using sample = await openSample();
  const called = (await sample.corpus.pairs(STORED_LIMITS)).sorted().flatMap((pair) => {
    const both = [issueAt(pair.a), issueAt(pair.b)].sort((x, y) => y.createdDaysAgo - x.createdDaysAgo);
    const [first, second] = both;
    if (!first || !second || both.some(({ state }) => state !== 'opened')) return [];
    return judge(first, second, sample, pair).decision === 'duplicate' ? [{ first, second }] : [];
  });
  const originalOf = ({ key, truth }: ReturnType<typeof issueAt>) => truth.duplicateOf ?? key;
  expect(called.filter(({ first, second }) => originalOf(first) !== originalOf(second))).toEqual([]);
  expect(called.filter(({ first, second }) => first.title !== second.title).length).toBeGreaterThanOrEqual(2);
});
