import type { ComplianceHistory, ComplianceResult } from '@winnow/contract/compliance';
import { scoreText } from '../../../features/compliance/score.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import { useHistory } from '../queries.ts';
import classes from './panel.module.css';

/** Maximum number of scores in the chart, limited by its width. */
const MAX_SHOWN_SCORES = 8;
const WIDTH_PX = 112;
const HEIGHT_PX = 36;
const INSET_PX = 4;

/** Line chart of scores, oldest on the left. 0% is at the bottom and 100% at the top. */
function Line({ scores }: { scores: readonly number[] }) {
  const stepX = (WIDTH_PX - 2 * INSET_PX) / Math.max(1, scores.length - 1);
  const points = scores.map((score, index) => ({
    x: INSET_PX + index * stepX,
    y: INSET_PX + (1 - score) * (HEIGHT_PX - 2 * INSET_PX),
  }));
  return (
    <svg className={classes.line} width={WIDTH_PX} height={HEIGHT_PX} aria-hidden="true">
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {points.map(({ x, y }) => (
        <circle key={x} cx={x} cy={y} r="2.5" />
      ))}
    </svg>
  );
}

function Scores({ results }: { results: ComplianceHistory['results'] }) {
  const shown = results.slice(0, MAX_SHOWN_SCORES);
  const hasVersions = new Set(shown.map(({ prompt_version }) => prompt_version)).size > 1;
  return (
    <div className={classes.history}>
      <Line scores={shown.map((result) => result.compliance_factor).toReversed()} />
      <ol>
        {shown.map(({ id, compliance_factor, evaluated_at, ai_model_name, stale, prompt_version }) => (
          <li key={id}>
            <b>{scoreText(compliance_factor)}</b> {stale ? 'before' : 'now'}, judged{' '}
            <RelativeTime at={evaluated_at} />, {ai_model_name}
            {hasVersions && prompt_version !== null ? `, version ${prompt_version} of the prompt` : null}
          </li>
        ))}
      </ol>
    </div>
  );
}

/**
 * Chart of the score history of an issue. Renders nothing if the issue has fewer than two scores.
 */
export function History({ result }: { result: ComplianceResult }) {
  const { data } = useHistory(result.prompt_id, result.issue_id, result.evaluated_at);
  if (data === undefined || data.results.length < 2) return null;
  return (
    <section className={classes.section} aria-label="History of the score">
      <h4 className={classes.heading}>History</h4>
      <Scores results={data.results} />
    </section>
  );
}
