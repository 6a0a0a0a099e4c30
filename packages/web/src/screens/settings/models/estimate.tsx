import type { AiModelEstimate, AiModelEstimateRequest } from '@winnow/contract/ai-model';
import { dollarsText } from '../../../features/models/health-text.ts';
import { useEstimate } from '../../../features/models/queries.ts';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import { Loading, TextSkeleton } from '../../../ui/states/skeletons.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import classes from './models.module.css';

function callsText(calls: number): string {
  return calls === 1 ? '1 call' : `${countText(calls)} calls`;
}

function costText(cost: number | null): string {
  return cost === null ? 'unknown price' : `about ${dollarsText(cost)}`;
}

/**
 * Returns three sentences about the expected calls: immediately, when opening lists, and when
 * scoring all issues.
 */
function estimateLines({ reviews, scores, list_calls_per_hour, price }: AiModelEstimate): string[] {
  return [
    reviews.calls === 0
      ? 'Now: no calls. There are no uncertain pairs to review.'
      : `Now: ${callsText(reviews.calls)}, ${costText(reviews.cost)}, to review the uncertain pairs, the most probable to be decided first.`,
    `Later: one call for each uncertain pair and each issue that you open, and at most ${list_calls_per_hour} calls an hour from lists.`,
    scores.calls === 0
      ? 'Every open issue has a score already.'
      : `Only if you choose Score all: up to ${callsText(scores.calls)}, ${costText(scores.cost)}, for your open issues.`,
    price === null
      ? 'The price of this model is unknown. Enter it under Price and caps to see costs.'
      : 'Until the model has answered, the verdicts and scores of the built-in analyst are used.',
  ];
}

/** States how many calls a model would make for reviews and scores, and what they would cost. */
export function Estimate({ request }: { request: AiModelEstimateRequest }) {
  const { data, error, isFetching, refetch } = useEstimate(request);
  if (error !== null) {
    return (
      <ErrorState
        error={error}
        title="The calls to expect could not be computed"
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  if (data === undefined) {
    return (
      <Loading label="Computing the calls to expect">
        <TextSkeleton width="80%" />
      </Loading>
    );
  }
  return (
    <ul className={classes.estimate}>
      {estimateLines(data).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
