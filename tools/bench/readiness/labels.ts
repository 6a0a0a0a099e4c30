import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { EvaluatedIssue } from '@winnow/analysis/readiness';
import { z } from 'zod';
import { readSampleBacklog } from '../../../packages/server/src/trackers/sample/backlog/read-backlog.ts';
import { loadHadoop } from '../../data/hadoop.ts';

const mark = z.number().min(0).max(1);
const marks = z.object({
  goal: mark,
  acceptance: mark,
  scope: mark,
  dependencies: mark,
  approach: mark,
  estimable: mark,
});
const source = z.enum(['sample', 'hadoop']);
const file = z.array(
  z.object({
    key: z.string(),
    source,
    /** Scores of the issue by each reader. The scores of the first reader are the reference. */
    readers: z.record(z.string(), marks),
  }),
);

export type Marks = z.infer<typeof marks>;
/**
 * Use of a labelled issue. Developers may inspect `tuning` issues. They may only measure `sealed`
 * and `unseen` issues.
 */
export type Part = 'tuning' | 'sealed' | 'unseen';

/** An issue with the labels of its readers. */
export interface Labeled {
  key: string;
  source: z.infer<typeof source>;
  part: Part;
  /** Name of the group that cross-validation leaves out together. */
  fold: string;
  issue: EvaluatedIssue;
  label: Marks;
  /** Scores by a second, independent reader. Null if there was none. */
  second: Marks | null;
}

/**
 * A labelled issue is sealed if the last hexadecimal digit of its hash is at most this. About a
 * third of the issues are sealed.
 */
const LAST_SEALED = 4;
const HADOOP_FOLDS = 3;

/**
 * Reads the labelled issues of the sample backlog and of Apache Hadoop.
 * If the Hadoop data set is missing, `hasHadoop` is false and its reports are omitted.
 */
export async function readLabeled(): Promise<{ labeled: Labeled[]; hasHadoop: boolean }> {
  const path = new URL('../../data/readiness-labels.json', import.meta.url);
  const hadoop = await loadHadoop();
  const issues = new Map<string, EvaluatedIssue>([
    ...readSampleBacklog().flatMap(({ identifier, issues: ofProject }) =>
      ofProject.map(({ number, title, body, type, labels }): [string, EvaluatedIssue] => [
        `${identifier}#${number}`,
        { title, body, type, labels },
      ]),
    ),
    ...(hadoop?.reports ?? []).map(({ id, title, body }): [string, EvaluatedIssue] => [
      id,
      { title, body, type: 'issue', labels: [] },
    ]),
  ]);
  const labeled = file.parse(JSON.parse(await readFile(path, 'utf8'))).flatMap((one) => {
    const issue = issues.get(one.key);
    const [label, second = null] = Object.values(one.readers);
    if (issue === undefined || label === undefined) return [];
    const { key, source: from } = one;
    return [
      { key, source: from, part: partOf(key, second !== null), fold: foldOf(key), issue, label, second },
    ];
  });
  return { labeled, hasHadoop: hadoop !== null };
}

/**
 * Assigns an issue to a part by the last digit of a hash, so that the choice is unbiased. Issues
 * with two readers are split in half.
 */
function partOf(key: string, isReadTwice: boolean): Part {
  const end = hashOf(key).at(-1) ?? 0;
  if (isReadTwice) return (end & 1) === 0 ? 'tuning' : 'unseen';
  return (end & 15) <= LAST_SEALED ? 'sealed' : 'tuning';
}

/**
 * Returns the name of the cross-validation group (fold) of an issue. The fold is the project of the
 * issue. Hadoop is much larger than other projects and is split into several folds.
 */
function foldOf(key: string): string {
  const [project = '', number] = key.split('#');
  return number === undefined ? `hadoop ${(hashOf(key)[5] ?? 0) % HADOOP_FOLDS}` : project;
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
