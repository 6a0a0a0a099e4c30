import { textForEmbedding } from '@winnow/analysis/clean';
import { Corpus } from '@winnow/analysis/corpus';
import { openMiniLm } from '@winnow/analysis/embed';
import { NeighbourPool } from '@winnow/analysis/neighbours';
import {
  ASSIGNEE_MARKS,
  LABEL_MARKS,
  likelyAssignee,
  likelyLabels,
  type Marks,
  type Neighbour,
} from '../../packages/server/src/flows/built-in/neighbour-suggestions.ts';
import { readSampleBacklog } from '../../packages/server/src/trackers/sample/backlog/read-backlog.ts';
import type { Emit } from './run.ts';

/** Maximum number of similar issues, over all projects, that the product considers. */
const MAX_NEIGHBORS = 20;

/** An issue with the similar issues in its project. */
interface Held {
  labels: readonly string[];
  assignees: readonly string[];
  neighbours: readonly Neighbour[];
}

/**
 * Measures how often the built-in analyst suggests the actual labels and assignees of issues in the
 * sample backlog.
 * Each issue is treated as if it had no labels and assignees. Also tries thresholds other than the
 * current ones.
 */
export async function run(emit: Emit): Promise<void> {
  const held = await readBacklog();
  for (const marks of [LABEL_MARKS, ...variantsOf(LABEL_MARKS)]) emitLabels(held, marks, emit);
  for (const marks of [ASSIGNEE_MARKS, ...variantsOf(ASSIGNEE_MARKS)]) emitAssignees(held, marks, emit);
}

async function readBacklog(): Promise<Held[]> {
  const issues = readSampleBacklog().flatMap(({ identifier, issues: ofProject }) =>
    ofProject.map((issue) => ({ ...issue, id: `${identifier}#${issue.number}`, group: identifier })),
  );
  const embedder = await openMiniLm({ threads: 2 });
  const vectors = await embedder.embed(issues.map(({ title, body }) => textForEmbedding(title, body)));
  const neighbours = new NeighbourPool();
  const corpus = new Corpus({ neighbours, dimensions: embedder.dimensions });
  corpus.put(
    issues.map(({ createdDaysAgo, ...issue }, index) => ({
      ...issue,
      createdAt: -createdDaysAgo,
      vector: vectors[index] ?? null,
    })),
  );
  corpus.useSnapshot(corpus.takeSnapshot(1));
  const byId = new Map(issues.map((issue) => [issue.id, issue]));
  const held: Held[] = [];
  for (const { id, group, labels, assignees } of issues) {
    const found = await corpus.similar({ id }, { limit: MAX_NEIGHBORS, filter: (other) => other !== id });
    const near = found.flatMap(({ id: other, similarity }) => {
      const issue = byId.get(other);
      if (issue?.group !== group) return [];
      return [{ similarity, labels: issue.labels, assignees: issue.assignees }];
    });
    held.push({ labels, assignees, neighbours: near });
  }
  await Promise.all([embedder.close(), neighbours.close()]);
  return held;
}

/** Returns copies of the thresholds, each with one value changed. */
function variantsOf(marks: Marks): Marks[] {
  return [
    ...[0.5, 0.6, 0.7, 0.8, 0.9].map((share) => ({ ...marks, share })),
    ...[2, 4, 5].map((least) => ({ ...marks, least })),
  ].filter(({ least, share }) => least !== marks.least || share !== marks.share);
}

function emitLabels(held: readonly Held[], marks: Marks, emit: Emit): void {
  const told = held.filter(({ labels }) => labels.length > 0);
  const suggested = told.map(({ labels, neighbours }) => ({
    labels,
    given: likelyLabels([], neighbours, marks),
  }));
  const given = suggested.flatMap(({ labels, given: names }) => names.map((name) => labels.includes(name)));
  const right = given.filter(Boolean).length;
  const helped = suggested.filter(({ given: names }) => names.length > 0).length;
  emit({
    name: 'suggested labels that the issue has',
    value: given.length === 0 ? 0 : right / given.length,
    unit: 'ratio',
    detail: {
      marks,
      issues: told.length,
      with_suggestions: helped,
      suggestions: given.length,
      found: right / told.reduce((sum, { labels }) => sum + labels.length, 0),
    },
  });
}

function emitAssignees(held: readonly Held[], marks: Marks, emit: Emit): void {
  const told = held.filter(({ assignees }) => assignees.length > 0);
  const given = told.flatMap(({ labels, assignees, neighbours }) => {
    const login = likelyAssignee(labels, neighbours, marks);
    return login === null ? [] : [assignees.includes(login)];
  });
  const right = given.filter(Boolean).length;
  emit({
    name: 'suggested assignees that the issue has',
    value: given.length === 0 ? 0 : right / given.length,
    unit: 'ratio',
    detail: { marks, issues: told.length, suggestions: given.length, found: right / told.length },
  });
}
