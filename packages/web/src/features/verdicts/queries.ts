import { queryOptions, useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { isIdentical, type Pair } from '@winnow/contract/duplicate';
import { MAX_VERDICTS, type Verdict, type VerdictList, verdict, verdictList } from '@winnow/contract/verdict';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** Interval at which verdicts are refetched while some are being prepared. */
const VERDICT_POLL_MS = 2_000;

type Judgeable = Pick<Pair, 'issue1' | 'issue2' | 'similarity' | 'resolution'>;

/** True if a pair needs a verdict: it is unresolved and the texts differ. */
export function needsVerdict({ similarity, resolution }: Judgeable): boolean {
  return resolution === null && !isIdentical(similarity);
}

/** Verdict on a pair; `null` while loading, `failed` if it could not be loaded. */
export type ShownVerdict = Verdict | null | 'failed';

/** Loads the verdicts on pairs in batches. Returns a function that finds the verdict on a pair. */
export function useVerdicts(pairs: readonly Judgeable[]): (pair: Judgeable) => ShownVerdict {
  const judged = pairs.filter(needsVerdict).map(namesOf);
  const batches = Array.from({ length: Math.ceil(judged.length / MAX_VERDICTS) }, (_, batch) =>
    judged.slice(batch * MAX_VERDICTS, (batch + 1) * MAX_VERDICTS),
  );
  const answers = useQueries({ queries: batches.map(verdictsOptions) });
  const given = new Map(
    answers.flatMap(
      ({ data }) => data?.verdicts.map((verdict) => [pairKey(verdict), verdict] as const) ?? [],
    ),
  );
  const earlier = useEarlierVerdicts();
  const failed = new Set(
    answers.flatMap(({ isError }, batch) => (isError ? (batches[batch]?.map(pairKey) ?? []) : [])),
  );
  return (pair) => {
    const key = pairKey(namesOf(pair));
    const now = given.get(key);
    if (now !== undefined && now.decision !== 'checking') return now;
    return earlier(key) ?? now ?? (failed.has(key) ? 'failed' : null);
  };
}

/**
 * Returns a function that finds a verdict in any batch in the query cache. When the rows of a list
 * change, the batches change too. Badges can then keep their verdicts while the new batches load.
 */
function useEarlierVerdicts(): (key: string) => Verdict | undefined {
  const queryClient = useQueryClient();
  return (key) =>
    queryClient
      .getQueriesData<VerdictList>({ queryKey: queryKeys.pairs.allVerdicts })
      .flatMap(([, list]) => list?.verdicts ?? [])
      .findLast((verdict) => pairKey(verdict) === key && verdict.decision !== 'checking');
}

function verdictsOptions(pairs: readonly PairNames[]) {
  return queryOptions({
    queryKey: queryKeys.pairs.verdicts(pairs.map(pairKey)),
    queryFn: ({ signal }): Promise<VerdictList> =>
      api('POST', '/issue-duplicates/check-batch', { body: { pairs }, schema: verdictList, signal }),
    refetchInterval: ({ state }) =>
      state.data?.verdicts.some(isUnderWay) === true ? VERDICT_POLL_MS : false,
  });
}

/**
 * Asks the default model to judge a pair that it does not judge automatically. Then refetches the
 * verdicts. They state that the model is being asked, until it responds.
 */
export function useAskModel() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (pair: Judgeable) =>
      api('GET', `/issue-duplicates/check?${new URLSearchParams(namesOf(pair))}`, { schema: verdict }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.pairs.allVerdicts }),
  });
}

/**
 * True if a new verdict is expected: from the analyst, or from a model whose verdict will replace
 * the analyst's.
 */
function isUnderWay({ decision, instead_of }: Verdict): boolean {
  return decision === 'checking' || instead_of?.reason === 'asking';
}

type PairNames = Pick<Verdict, 'issue1_id' | 'issue2_id'>;

function namesOf({ issue1, issue2 }: Judgeable): PairNames {
  return { issue1_id: issue1.id, issue2_id: issue2.id };
}

function pairKey({ issue1_id, issue2_id }: PairNames): string {
  return `${issue1_id} ${issue2_id}`;
}
