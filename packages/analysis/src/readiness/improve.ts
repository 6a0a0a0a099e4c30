import { evaluate } from './evaluate.ts';
import { type ImprovedLineSource, improvedDescription } from './improve/description.ts';
import { formOf } from './improve/sections.ts';
import { improvedTitle } from './improve/title.ts';
import { READ_CHARACTERS } from './read-description.ts';
import { readIssue } from './read-issue.ts';
import type { CheckId, Criterion, EvaluatedIssue, Evaluation, Finding } from './types.ts';

export type { ImprovedLineSource } from './improve/description.ts';

/** Texts that an issue would do better with. */
export interface Improvement {
  /** At most 255 characters. */
  title: string;
  /** Markdown, at most 65 536 characters unless the issue's own is longer: then it is that. */
  description: string;
  /** What was done, a line each; none when nothing was. */
  changes: string[];
  /** Of each line of the description, whether the issue says it. */
  sources: ImprovedLineSource[];
}

/** From here on a criterion needs no question. */
const SAID = 0.75;
/** Criteria without a section of their own are asked about when they stand below this. */
const LOW = 0.4;
const MOST_OTHER_QUESTIONS = 3;
/** What another criterion's answers settle, or another cut of the work, and no fact of its own. */
const UNASKED: ReadonlySet<CheckId> = new Set(['estimable', 'negotiable', 'small', 'amount', 'depth']);

/**
 * A title and a description in sections for an issue, of its own words: every statement once and word for word, code,
 * pictures and tables as they are. What is missing by the evaluation is asked as a question, which counts for nothing until
 * it is answered. The texts never score lower than the issue, and improving them changes nothing further.
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
  if (issue.body.length > READ_CHARACTERS) return { ...asItIs(issue), title, changes };
  const judged = criteria.flatMap(({ id, check }) => {
    const finding = evaluation.criteria.find((found) => found.id === id);
    return check === null || finding === undefined ? [] : [{ ...finding, check }];
  });
  const written = improvedDescription(issue.body, {
    isBug: reading.isBug,
    isSorted,
    asks: (form) => judged.some(({ check, score }) => check === form.check && (score ?? 0) < SAID),
    questions: otherQuestions(judged, reading.isBug),
  });
  if (written.text.length > READ_CHARACTERS) return { ...asItIs(issue), title, changes };
  return {
    title,
    description: written.text,
    sources: written.sources,
    changes: [...changes, ...written.changes],
  };
}

/** What is to be asked that belongs to no section. */
function otherQuestions(judged: readonly (Finding & { check: CheckId })[], isBug: boolean): string[] {
  const inSections = new Set(formOf(isBug).map(({ check }) => check));
  const questions = judged.flatMap(({ check, score, fix }) =>
    !inSections.has(check) && !UNASKED.has(check) && fix !== null && (score ?? 0) < LOW ? [fix] : [],
  );
  return [...new Set(questions)].slice(0, MOST_OTHER_QUESTIONS);
}
