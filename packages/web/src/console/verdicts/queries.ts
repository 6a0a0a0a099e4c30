import { useQuery } from '@tanstack/react-query';
import { isIdentical, type Pair } from '@winnow/contract/duplicate';
import { type Verdict, verdictList } from '@winnow/contract/verdict';
import { queryKeys } from '../../app/query-keys.ts';
import { api } from '../../app/session/session.ts';

/** What waits for an analysis that runs is asked for again after this. */
const CHECK_AGAIN_MS = 2_000;

type Judgeable = Pick<Pair, 'issue1' | 'issue2' | 'similarity' | 'resolution'>;

/** Whether there is something to judge: nobody has decided, and the texts are not the same. */
export function isJudged({ similarity, resolution }: Judgeable): boolean {
  return resolution === null && !isIdentical(similarity);
}

/** The verdict on a pair, `null` while it is on its way, and `failed` when it could not be had. */
export type ShownVerdict = Verdict | null | 'failed';

/** The verdicts on a page of pairs, asked for in one call; answers the one on each pair. */
export function useVerdicts(pairs: readonly Judgeable[]): (pair: Judgeable) => ShownVerdict {
  const judged = pairs.filter(isJudged).map(namesOf);
  const { data, isError } = useQuery({
    queryKey: queryKeys.pairs.verdicts(judged.map(keyOf)),
    queryFn: ({ signal }) =>
      api('POST', '/issue-duplicates/check-batch', { body: { pairs: judged }, schema: verdictList, signal }),
    enabled: judged.length > 0,
    refetchInterval: ({ state }) =>
      state.data?.verdicts.some(({ decision }) => decision === 'checking') === true ? CHECK_AGAIN_MS : false,
  });
  const given = new Map(data?.verdicts.map((verdict) => [keyOf(verdict), verdict]));
  return (pair) => given.get(keyOf(namesOf(pair))) ?? (isError ? 'failed' : null);
}

function namesOf({ issue1, issue2 }: Judgeable) {
  return { issue1_id: issue1.id, issue2_id: issue2.id };
}

function keyOf({ issue1_id, issue2_id }: Pick<Verdict, 'issue1_id' | 'issue2_id'>): string {
  return `${issue1_id} ${issue2_id}`;
}
