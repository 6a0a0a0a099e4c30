import { onIssue } from './action.ts';
import { hasCommented } from './earlier-suggestions.ts';
import { quote } from './quote.ts';
import { areScored } from './wait-for-results.ts';

/**
 * Minimum score at which no questions are asked. Below 0.6, more than one of the six criteria is
 * practically missing. A higher value would ask about every small weakness, and users would ignore
 * the questions.
 */
const MIN_READINESS = 0.6;
/** Score below which a criterion is weak. Questions are asked about weak criteria only. */
const WEAK_CRITERION_SCORE = 0.75;
/** Maximum number of questions per comment. People do not answer longer lists. */
const MAX_QUESTIONS = 5;
const COMMENT_BEGINNING = 'Before work starts, it would help to know:';

/**
 * Scores an issue against the Definition of Ready. If the score is low, asks once for the missing
 * information.
 */
export const checkReadiness = onIssue(async (context, issue) => {
  const { tools } = context;
  if (issue.state === 'closed') return `${issue.key} is already closed.`;
  if (!(await areScored(context, [issue.id]))) return `${issue.key} could not be scored in time.`;
  const answer = await tools.read('check_compliance', { issues: [issue.id] });
  if (answer === null) return 'This flow may not score issues.';
  const [result] = answer.results;
  if (result?.score === undefined) return `${issue.key} could not be scored.`;
  const scored = `Readiness of ${issue.key}: ${Math.round(result.score * 100)}%.`;
  if (result.score >= MIN_READINESS) return scored;
  const weakest = (result.criteria ?? [])
    .filter(({ score = 1, fix }) => score < WEAK_CRITERION_SCORE && fix !== undefined)
    .sort((one, other) => (one.score ?? 1) - (other.score ?? 1));
  const questions = [...new Set(weakest.flatMap(({ fix }) => (fix === undefined ? [] : [quote(fix)])))];
  if (questions.length === 0) return scored;
  if (await hasCommented(context, issue.id, COMMENT_BEGINNING))
    return `${scored} Questions were asked before.`;
  const asked = questions.slice(0, MAX_QUESTIONS).map((question) => `- ${question}`);
  const comment = `${COMMENT_BEGINNING}\n\n${asked.join('\n')}`;
  const input = { issue: issue.id, comment, reason: scored };
  const written = await tools.write('comment_on_issue', input, issue.id);
  return written === null ? `${scored} This flow may not comment.` : scored;
});
