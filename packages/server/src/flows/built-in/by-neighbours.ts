import { SIMILARITY } from '@winnow/contract/duplicate';

/** An issue of the same project that is similar to another one. */
export interface Neighbour {
  similarity: number;
  labels: readonly string[];
  assignees: readonly string[];
}

/** What similar issues have to show before something is suggested by them. */
export interface Marks {
  /** So many have to have it. */
  least: number;
  /** That has to be so much of them, the more similar ones counting more. */
  share: number;
}

/** Of the labels suggested at these marks 86 in 100 were right, for four in nine issues of the sample backlog. */
export const LABEL_MARKS: Marks = { least: 3, share: 0.7 };
/** Of the people suggested at these 8 in 10 were: few suggestions, since a wrong one costs somebody's time. */
export const ASSIGNEE_MARKS: Marks = { least: 3, share: 0.9 };

/** The nearest, which are asked. */
const ASKED = 10;
/** Who works on a similar issue of the same part of the product counts so much more. */
const SAME_PART = 3;

/**
 * The labels that most of the similar issues have and an issue lacks, the surest first. Of labels with one scope, such as
 * `area:` or `priority::`, an issue is given one, and none where it has one already.
 */
export function likelyLabels(
  present: readonly string[],
  neighbours: readonly Neighbour[],
  marks: Marks = LABEL_MARKS,
): string[] {
  const names = new Set(present.map((label) => label.toLowerCase()));
  const scopes = new Set(present.flatMap(scopeOf));
  const suggested: string[] = [];
  for (const label of commonTo(nearest(neighbours), ({ labels }) => labels, squared, marks)) {
    const [scope] = scopeOf(label);
    if (names.has(label.toLowerCase()) || (scope !== undefined && scopes.has(scope))) continue;
    if (scope !== undefined) scopes.add(scope);
    suggested.push(label);
  }
  return suggested;
}

/**
 * Who works on most of the similar issues that somebody works on; null where that is nobody's clear part. `labels` are
 * those of the issue that is to be assigned.
 */
export function likelyAssignee(
  labels: readonly string[],
  neighbours: readonly Neighbour[],
  marks: Marks = ASSIGNEE_MARKS,
): string | null {
  const parts = labels.filter((label) => scopeOf(label).length > 0);
  const weigh = (neighbour: Neighbour) =>
    squared(neighbour) * (neighbour.labels.some((label) => parts.includes(label)) ? SAME_PART : 1);
  const worked = nearest(neighbours.filter(({ assignees }) => assignees.length > 0));
  return commonTo(worked, ({ assignees }) => assignees, weigh, marks)[0] ?? null;
}

function nearest(neighbours: readonly Neighbour[]): Neighbour[] {
  return neighbours
    .filter(({ similarity }) => similarity >= SIMILARITY.stored)
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, ASKED);
}

function squared({ similarity }: Neighbour): number {
  return similarity ** 2;
}

/** The names that enough of the neighbours have, those first that weigh most. */
function commonTo(
  neighbours: readonly Neighbour[],
  namesOf: (neighbour: Neighbour) => readonly string[],
  weigh: (neighbour: Neighbour) => number,
  { least, share }: Marks,
): string[] {
  const whole = neighbours.reduce((sum, neighbour) => sum + weigh(neighbour), 0);
  const found = new Map<string, { count: number; weight: number }>();
  for (const neighbour of neighbours) {
    for (const name of new Set(namesOf(neighbour))) {
      const { count, weight } = found.get(name) ?? { count: 0, weight: 0 };
      found.set(name, { count: count + 1, weight: weight + weigh(neighbour) });
    }
  }
  return [...found]
    .filter(([, { count, weight }]) => count >= least && weight >= share * whole)
    .sort(([one, { weight }], [other, { weight: others }]) => others - weight || (one < other ? -1 : 1))
    .map(([name]) => name);
}

/** What stands before the colon of a label that has one. */
function scopeOf(label: string): string[] {
  const [, scope] = /^(.+?)::?(?=\S)/.exec(label) ?? [];
  return scope === undefined ? [] : [scope.toLowerCase()];
}
