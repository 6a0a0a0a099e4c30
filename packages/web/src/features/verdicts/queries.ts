import { queryOptions, useQueries } from '@tanstack/react-query';
import { isIdentical, type Pair } from '@winnow/contract/duplicate';
import { MOST_VERDICTS, type Verdict, type VerdictList, verdictList } from '@winnow/contract/verdict';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** What waits for an analysis that runs is asked for again after this. */
const CHECK_AGAIN_MS = 2_000;

type Judgeable = Pick<Pair, 'issue1' | 'issue2' | 'similarity' | 'resolution'>;

/** Whether there is something to judge: nobody has decided, and the texts are not the same. */
export function isJudged({ similarity, resolution }: Judgeable): boolean {
  return resolution === null && !isIdentical(similarity);
}

/** The verdict on a pair, `null` while it is on its way, and `failed` when it could not be had. */
export type ShownVerdict = Verdict | null | 'failed';

/** The verdicts on pairs, asked for in one call a hundred; answers the one on each pair. */
export function useVerdicts(pairs: readonly Judgeable[]): (pair: Judgeable) => ShownVerdict {
  const judged = pairs.filter(isJudged).map(namesOf);
  const batches = Array.from({ length: Math.ceil(judged.length / MOST_VERDICTS) }, (_, batch) =>
    judged.slice(batch * MOST_VERDICTS, (batch + 1) * MOST_VERDICTS),
  );
  const answers = useQueries({ queries: batches.map(verdictsOptions) });
  const given = new Map(
    answers.flatMap(({ data }) => data?.verdicts.map((verdict) => [keyOf(verdict), verdict] as const) ?? []),
  );
  const failed = new Set(
    answers.flatMap(({ isError }, batch) => (isError ? (batches[batch]?.map(keyOf) ?? []) : [])),
  );
  return (pair) => {
    const key = keyOf(namesOf(pair));
    return given.get(key) ?? (failed.has(key) ? 'failed' : null);
  };
}

function verdictsOptions(pairs: readonly PairNames[]) {
  return queryOptions({
    queryKey: queryKeys.pairs.verdicts(pairs.map(keyOf)),
    queryFn: ({ signal }): Promise<VerdictList> =>
      api('POST', '/issue-duplicates/check-batch', { body: { pairs }, schema: verdictList, signal }),
    refetchInterval: ({ state }) => (state.data?.verdicts.some(isUnderWay) === true ? CHECK_AGAIN_MS : false),
  });
}

/** True while another verdict is to come: the built-in analyst's, or the model's in its place. */
function isUnderWay({ decision, instead_of }: Verdict): boolean {
  return decision === 'checking' || instead_of?.reason === 'asking';
}

type PairNames = Pick<Verdict, 'issue1_id' | 'issue2_id'>;

function namesOf({ issue1, issue2 }: Judgeable): PairNames {
  return { issue1_id: issue1.id, issue2_id: issue2.id };
}

function keyOf({ issue1_id, issue2_id }: PairNames): string {
  return `${issue1_id} ${issue2_id}`;
}
