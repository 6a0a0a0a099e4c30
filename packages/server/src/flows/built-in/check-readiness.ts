import { onIssue } from './action.ts';
import { quoted } from './quoted.ts';
import { hasSaid } from './suggested-before.ts';
import { areScored } from './waiting.ts';

/**
 * Below it an issue is asked about. A score weighs what is there, so under three fifths more than one of the six criteria
 * is as good as missing; a question to every issue with one weak point would be passed over soon.
 */
const ENOUGH = 0.6;
/** A criterion below it has a part in that. */
const WEAK = 0.75;
/** More questions at once are not answered. */
const MOST_ASKED = 5;
const BEGINNING = 'Before somebody takes this up, a few things would help to know:';

/** Scores an issue against the Definition of Ready and asks, once, for what is missing; says nothing where little is. */
export const checkReadiness = onIssue(async (context, issue) => {
  const { tools } = context;
  if (issue.state === 'closed') return `${issue.key} is closed already.`;
  if (!(await areScored(context, [issue.id]))) return `${issue.key} could not be scored in time.`;
  const answer = await tools.read('check_compliance', { issues: [issue.id] });
  if (answer === null) return 'The flow may not score issues.';
  const [result] = answer.results;
  if (result?.score === undefined) return `${issue.key} could not be scored.`;
  const scored = `Readiness of ${issue.key}: ${Math.round(result.score * 100)}%.`;
  if (result.score >= ENOUGH) return scored;
  const weakest = (result.criteria ?? [])
    .filter(({ score = 1, fix }) => score < WEAK && fix !== undefined)
    .sort((one, other) => (one.score ?? 1) - (other.score ?? 1));
  const questions = [...new Set(weakest.flatMap(({ fix }) => (fix === undefined ? [] : [quoted(fix)])))];
  if (questions.length === 0) return scored;
  if (await hasSaid(context, issue.id, BEGINNING)) return `${scored} It was asked about before.`;
  const asked = questions.slice(0, MOST_ASKED).map((question) => `- ${question}`);
  const comment = `${BEGINNING}\n\n${asked.join('\n')}`;
  const input = { issue: issue.id, comment, reason: scored };
  const written = await tools.write('comment_on_issue', input, issue.id);
  return written === null ? `${scored} The flow may not comment.` : scored;
});
