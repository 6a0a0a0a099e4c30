import { describe, expect, test } from 'vitest';
import { sampleOrganization } from './projects.ts';
import { parseIssue, readSampleBacklog } from './read-backlog.ts';
import type { SampleIssue } from './types.ts';

interface Entry {
  key: string;
  project: string;
  issue: SampleIssue;
}

const sampleProjects = readSampleBacklog();
const entries: Entry[] = sampleProjects.flatMap((project) =>
  project.issues.map((issue) => ({
    key: `${project.identifier}#${issue.number}`,
    project: project.identifier,
    issue,
  })),
);
const byKey = new Map(entries.map((entry) => [entry.key, entry]));

function find(key: string): Entry {
  const entry = byKey.get(key);
  if (entry === undefined) throw new Error(`No sample issue ${key}`);
  return entry;
}

function wholeText({ issue }: Entry): string {
  return [issue.title, issue.body, ...issue.comments.map((comment) => comment.body)].join('\n\n');
}

/** Returns the issue keys that a text mentions as `#123` or `owner/repo#123`. */
function namedIn(entry: Entry): string[] {
  return Array.from(
    wholeText(entry).matchAll(/([\w-]+\/[\w-]+)?#(\d+)\b/g),
    (match) => `${match[1] ?? entry.project}#${match[2]}`,
  );
}

function edges(pick: (issue: SampleIssue) => readonly string[]): { from: Entry; to: Entry }[] {
  return entries.flatMap((from) => pick(from.issue).map((key) => ({ from, to: find(key) })));
}

const duplicates = edges(({ truth }) => (truth.duplicateOf === undefined ? [] : [truth.duplicateOf]));
const related = edges(({ truth }) => truth.relatedTo ?? []);
const blocked = edges(({ truth }) => truth.blockedBy ?? []);
const pairKey = ({ from, to }: { from: Entry; to: Entry }) => [from.key, to.key].sort().join(' ');

function expectBetween(count: number, low: number, high: number): void {
  expect(count).toBeGreaterThanOrEqual(low);
  expect(count).toBeLessThanOrEqual(high);
}

describe('sample backlog, consistency', () => {
  test('no number is used twice in a project', () => {
    expect(byKey.size).toBe(entries.length);
  });

  test('no text mentions a missing issue or itself', () => {
    const wrong = entries.flatMap((entry) =>
      namedIn(entry)
        .filter((key) => !byKey.has(key) || key === entry.key)
        .map((key) => `${entry.key} names ${key}`),
    );
    expect(wrong).toEqual([]);
  });

  test('no open duplicate reveals its original', () => {
    const telling = duplicates.filter(
      ({ from, to }) => from.issue.state === 'opened' && namedIn(from).includes(to.key),
    );
    expect(telling.map(({ from }) => from.key)).toEqual([]);
  });

  test('no duplicate refers to a duplicate, a newer issue, or its related issue', () => {
    const relatedPairs = new Set(related.map(pairKey));
    for (const { from, to } of duplicates) {
      expect(to.issue.truth.duplicateOf, from.key).toBeUndefined();
      expect(to.issue.createdDaysAgo, from.key).toBeGreaterThanOrEqual(from.issue.createdDaysAgo);
      expect(relatedPairs.has(pairKey({ from, to })), from.key).toBe(false);
    }
  });

  test('no chain of blockers is circular', () => {
    let waiting = entries;
    for (;;) {
      const keys = new Set(waiting.map((entry) => entry.key));
      const stillBlocked = waiting.filter(({ issue }) => issue.truth.blockedBy?.some((key) => keys.has(key)));
      if (stillBlocked.length === waiting.length) break;
      waiting = stillBlocked;
    }
    expect(waiting.map((entry) => entry.key)).toEqual([]);
  });

  test('issues are never updated before they were created or before their last comment', () => {
    for (const { key, issue } of entries) {
      const commentDays = issue.comments.map((comment) => comment.daysAgo);
      expect(issue.createdDaysAgo, key).toBeGreaterThanOrEqual(issue.updatedDaysAgo);
      expect(Math.min(...commentDays, issue.createdDaysAgo), key).toBeGreaterThanOrEqual(
        issue.updatedDaysAgo,
      );
      expect(Math.max(...commentDays, 0), key).toBeLessThanOrEqual(issue.createdDaysAgo);
      expect(commentDays, key).toEqual([...commentDays].sort((a, b) => b - a));
      expectBetween(issue.createdDaysAgo, 1, 400);
    }
  });

  test('a higher number never belongs to an older issue of the project', () => {
    for (const { identifier, issues } of sampleProjects) {
      expect(issues.map((issue) => issue.number)).toEqual(
        issues.map((issue) => issue.number).sort((a, b) => a - b),
      );
      const days = issues.map((issue) => issue.createdDaysAgo);
      expect(days, identifier).toEqual([...days].sort((a, b) => b - a));
    }
  });
});

describe('sample backlog, content', () => {
  test('two projects of one organization hold about 160 issues', () => {
    const prefixes = sampleProjects.map((project) => project.identifier.split('/')[0]);
    expect(prefixes).toEqual([sampleOrganization.identifier, sampleOrganization.identifier]);
    expectBetween(entries.length, 155, 170);
    for (const project of sampleProjects) expectBetween(project.issues.length, 68, 85);
  });

  test('there are 28 to 32 duplicates, 4 to 6 of them across projects, and a few are closed as such', () => {
    expectBetween(duplicates.length, 28, 32);
    expectBetween(duplicates.filter(({ from, to }) => from.project !== to.project).length, 4, 6);
    const closed = duplicates.filter(({ from }) => from.issue.state === 'closed');
    expectBetween(closed.length, 2, 5);
    for (const { from, to } of closed) expect(namedIn(from), from.key).toContain(to.key);
  });

  test('exact copies and a group of three are among the duplicates', () => {
    const copies = duplicates.filter(
      ({ from, to }) => from.issue.title === to.issue.title && from.issue.body === to.issue.body,
    );
    expectBetween(copies.length, 1, 2);
    const roots = duplicates.map(({ to }) => to.key);
    expect(roots.some((key, index) => roots.indexOf(key) !== index)).toBe(true);
  });

  test('there are 12 to 15 pairs of similar issues that are not duplicates', () => {
    expect(new Set(related.map(pairKey)).size).toBe(related.length);
    expectBetween(related.length, 12, 15);
  });

  test('there are 15 to 20 dependencies, about half of them stated in a text', () => {
    expectBetween(blocked.length, 15, 20);
    const stated = blocked.filter(
      ({ from, to }) => namedIn(from).includes(to.key) || namedIn(to).includes(from.key),
    );
    expectBetween(stated.length / blocked.length, 0.4, 0.6);
  });

  test('20 to 25 issues are ready, 20 to 25 are vague, and a vague text is short', () => {
    const ready = entries.filter(({ issue }) => issue.truth.quality === 'ready');
    const vague = entries.filter(({ issue }) => issue.truth.quality === 'vague');
    expectBetween(ready.length, 20, 25);
    expectBetween(vague.length, 20, 25);
    for (const { key, issue } of ready) {
      expect(issue.body, key).toMatch(/\bgoal|problem|as a/i);
      expect(issue.body, key).toMatch(/acceptance criteria/i);
      expect(issue.body, key).toMatch(/out of scope|not in scope|non-goals/i);
      expect(issue.body, key).toMatch(/approach/i);
      expect(issue.body, key).toMatch(/estimate|size/i);
    }
    for (const { key, issue } of vague) expect(issue.body.length, key).toBeLessThan(500);
  });

  test('about a quarter is closed, every type occurs, and 12 to 15 people participate', () => {
    const closed = entries.filter(({ issue }) => issue.state === 'closed');
    expectBetween(closed.length / entries.length, 0.22, 0.28);
    expect(new Set(entries.map(({ issue }) => issue.type))).toEqual(
      new Set(['bug', 'feature', 'task', 'question']),
    );
    const people = entries.flatMap(({ issue }) => [
      issue.author,
      ...issue.assignees,
      ...issue.comments.map((comment) => comment.author),
    ]);
    expectBetween(new Set(people).size, 12, 15);
  });

  test('texts vary: an empty body, German, Japanese, HTML in a title, code, at most 260 words and 6 comments', () => {
    const some = (check: (issue: SampleIssue) => boolean) => entries.some(({ issue }) => check(issue));
    expect(entries.filter(({ issue }) => issue.body === '')).toHaveLength(1);
    expect(some((issue) => /[ぁ-んァ-ン]{4}/.test(issue.title))).toBe(true);
    expect(some((issue) => /\bnicht\b/.test(issue.title))).toBe(true);
    expect(some((issue) => /<b>/.test(issue.title))).toBe(true);
    expect(some((issue) => /panicked at/.test(issue.body))).toBe(true);
    for (const { key, issue } of entries) {
      expect(issue.body.split(/\s+/).length, key).toBeLessThanOrEqual(260);
      expect(issue.comments.length, key).toBeLessThanOrEqual(6);
      expect((issue.body.match(/^```/gm) ?? []).length % 2, key).toBe(0);
    }
  });
});

describe('an issue file', () => {
  const valid = [
    'title: A',
    'type: bug',
    'priority: null',
    'labels: []',
    'author: a',
    'assignees: []',
    'state: opened',
    'createdDaysAgo: 2',
    'updatedDaysAgo: 1',
  ].join('\n');

  test('without front matter, with an unknown field or an invalid name is refused and named', () => {
    const parse = (file: string, front: string) => () => parseIssue(file, `---\n${front}\n---\nBody\n`);
    expect(() => parseIssue('1.md', 'Body')).toThrow('1.md');
    expect(parse('2.md', `${valid}\ncolour: red`)).toThrow('2.md');
    expect(parse('readme.md', valid)).toThrow('readme.md');
    expect(parse('3.md', valid)()).toMatchObject({ number: 3, title: 'A', body: 'Body', comments: [] });
  });
});
