import { UNCALIBRATED } from '@winnow/analysis/calibration';
import { STATE_WEIGHTS } from '@winnow/analysis/likelihood';
import { SIMILARITY } from '@winnow/contract/duplicate';
import { type RawBuilder, sql } from 'kysely';

// The SQL expressions in this file require the two issues of a pair to be joined as `a` and `b`.

const A_IS_OLDER = sql`(a.created_at, a.id) < (b.created_at, b.id)`;
const OLDER_IS_CLOSED = sql`(case when ${A_IS_OLDER} then a.state else b.state end) = 'closed'`;

const IS_JUDGED_DIFFERENT = sql`exists (
  select from pair_judgment
  where pair_judgment.account_id = a.account_id and pair_judgment.issue_a = a.id
    and pair_judgment.issue_b = b.id and judgment = 'different' and judged_by_type = 'user')`;

/**
 * SQL expression for the `standing` of a pair: the kind of decision that it needs, or `settled`. A
 * person's judgment `different` settles the pair.
 */
export const pairStanding = sql`
  case when ${IS_JUDGED_DIFFERENT} then 'settled'
    when a.state = 'opened' and b.state = 'opened' then 'both_open'
    when (case when ${A_IS_OLDER} then b.state else a.state end) = 'opened' then 'repeats_closed'
    else 'settled' end`;

/**
 * Returns an SQL expression for the log-odds of a pair before calibration. Adds a weight to the
 * given log-odds if the older issue is closed.
 */
export const pairLogOdds = (logOdds: RawBuilder<unknown>): RawBuilder<number> => sql`
  (${logOdds} + case when ${OLDER_IS_CLOSED} then
    ${STATE_WEIGHTS.closed}::float8 + ${STATE_WEIGHTS.logDaysSinceClosing}::float8 * ln(1 + greatest(0,
      (extract(epoch from greatest(a.created_at, b.created_at) - coalesce(
        case when ${A_IS_OLDER} then a.closed_at else b.closed_at end, greatest(a.created_at, b.created_at)
      )) / 86400)::float8))
    else 0 end)`;

/**
 * Returns an SQL expression for the probability of a pair, with the account's calibration. Pairs
 * with equal texts are not calibrated, because a rule decides them.
 */
export const pairProbability = (
  accountId: string,
  logOdds: RawBuilder<unknown>,
  similarity: RawBuilder<unknown>,
): RawBuilder<number> => sql`
  1 / (1 + exp(-greatest(-30, least(30, case when ${similarity} >= ${SIMILARITY.identical}::real
    then ${pairLogOdds(logOdds)}
    else ${pairLogOdds(logOdds)} * ${calibrationColumn(accountId, 'slope')} + ${calibrationColumn(accountId, 'offset')}
    end))))`;

/**
 * Returns an SQL expression for a column of the account's calibration. PostgreSQL evaluates it once
 * per query, because it does not depend on the pair.
 */
function calibrationColumn(accountId: string, column: 'slope' | 'offset'): RawBuilder<number> {
  const name = sql.ref(`pair_calibration.${column}`);
  return sql`
    coalesce((select ${name} from pair_calibration where account_id = ${accountId}), ${UNCALIBRATED[column]}::float8)`;
}
