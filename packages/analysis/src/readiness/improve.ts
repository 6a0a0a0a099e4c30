import { evaluate } from './evaluate.ts';
import { type ImprovedLineSource, improvedDescription } from './improve/description.ts';
import { formOf } from './improve/sections.ts';
import { improvedTitle } from './improve/title.ts';
import { MAX_READ_CHARS } from './read-description.ts';
import { readIssue } from './read-issue.ts';
import type { CheckId, Criterion, EvaluatedIssue, Evaluation, Finding } from './types.ts';

/** An improved title and description for an issue. */
export interface Improvement {
  /** At most 255 characters. */
  title: string;
  /** Markdown of at most 65,536 characters, or of the original length if that is greater. */
  description: string;
  /** One sentence per change; empty if nothing changed. */
  changes: string[];
  /** Origin of each line of the description: the issue, or new. */
  sources: ImprovedLineSource[];
}

/** Minimum score of a criterion for which no question is added. */
const MIN_ANSWERED_SCORE = 0.75;
/** A criterion that belongs to no section gets a question below this score. */
const MAX_QUESTIONED_SCORE = 0.4;
const MAX_OTHER_QUESTIONS = 3;
/**
 * Checks that never add a question. Answering other questions improves their scores, or the issue
 * must be split.
 */
const UNASKED: ReadonlySet<CheckId> = new Set(['estimable', 'negotiable', 'small', 'amount', 'depth']);

/**
 * Improves the title and the description, using the issue's own words. The description gets
 * sections. Each statement remains once and verbatim, and code, images and tables are preserved.
 * Missing information becomes questions, which do not raise the score until someone answers them.
 *
 * The result never has a lower score than the issue. Improving it again changes nothing.
 */
export function improve(
  issue: EvaluatedIssue,
  evaluation: Evaluation,
  criteria: readonly Criterion[],
): Improvement {
  for (const isSorted of [true, false]) {
    const best = draft(issue, evaluation, criteria, isSorted);
    const improved = { ...issue, title: best.title, body: best.description };
    const after = evaluate(improved, criteria);
    const again = [true, false].map((sorted) => draft(improved, after, criteria, sorted));
    const isSettled = again.every(
      ({ title, description }) => title === best.title && description === best.description,
    );
    if (isSettled && after.factor >= evaluation.factor) return best;
  }
  return asItIs(issue);
}

function asItIs({ title, body }: EvaluatedIssue): Improvement {
  return { title, description: body, changes: [], sources: body.split('\n').map(() => 'issue') };
}

function draft(
  issue: EvaluatedIssue,
  evaluation: Evaluation,
  criteria: readonly Criterion[],
  isSorted: boolean,
): Improvement {
  const reading = readIssue(issue);
  const { title, changes } = improvedTitle(issue.title, reading);
  if (issue.body.length > MAX_READ_CHARS) return { ...asItIs(issue), title, changes };
  const judged = criteria.flatMap(({ id, check }) => {
    const finding = evaluation.criteria.find((found) => found.id === id);
    return check === null || finding === undefined ? [] : [{ ...finding, check }];
  });
  const written = improvedDescription(issue.body, {
    isBug: reading.isBug,
    isSorted,
    asks: (form) =>
      judged.some(({ check, score }) => check === form.check && (score ?? 0) < MIN_ANSWERED_SCORE),
    questions: otherQuestions(judged, reading.isBug),
  });
  if (written.text.length > MAX_READ_CHARS) return { ...asItIs(issue), title, changes };
  return {
    title,
    description: written.text,
    sources: written.sources,
    changes: [...changes, ...written.changes],
  };
}

/** Returns questions for criteria that belong to no section. */
function otherQuestions(judged: readonly (Finding & { check: CheckId })[], isBug: boolean): string[] {
  const inSections = new Set(formOf(isBug).map(({ check }) => check));
  const questions = judged.flatMap(({ check, score, fix }) =>
    !inSections.has(check) && !UNASKED.has(check) && fix !== null && (score ?? 0) < MAX_QUESTIONED_SCORE
      ? [fix]
      : [],
  );
  return [...new Set(questions)].slice(0, MAX_OTHER_QUESTIONS);
}
