import { type Dependency, SCAN_DEPTH } from '@winnow/contract/dependency';
import type { ChangeRecord } from '../../changes/index.ts';
import { AppError } from '../../platform/errors.ts';
import { isRequestedBy } from '../request-name.ts';
import { type ActionContext, onIssue } from './action.ts';
import { isCompared } from './wait-for-results.ts';

/** Maximum number of changes that are searched for earlier decisions. */
const MAX_CHANGES_SEARCHED = 100;

/**
 * State of a dependency in the ledger. `own`: this execution wrote it before an interruption.
 * `proposed` and `rejected`: state of an earlier proposal. Null: none of these.
 */
type LedgerState = 'own' | 'proposed' | 'rejected' | null;

/**
 * Commits the dependencies that the project's texts state or imply for an issue, in both
 * directions.
 */
export const findDependencies = onIssue(async (context, issue) => {
  const { accountId, budget, services } = context;
  await isCompared(context, issue);
  // Reads the texts of the issue and of its nearest issues. Also reads the existing links from the
  // tracker.
  await services.dependencies.extend(accountId, [issue.id], SCAN_DEPTH, budget);
  const known = await services.dependencies.listDependenciesOfIssue(accountId, issue.id);
  const filter = { issueId: issue.id, kind: 'dependency' as const };
  const { records } = await services.ledger.list(accountId, filter, { limit: MAX_CHANGES_SEARCHED, skip: 0 });
  const lines: string[] = [];
  for (const dependency of known) {
    const standing = ledgerStateOf(context, dependency, records);
    if (standing !== 'own' && isSettled(dependency)) continue;
    const sentence = `${dependency.issue_key} blocks ${dependency.dependency_key}`;
    const problem = await commit(context, dependency, standing);
    lines.push(problem === null ? `${sentence}.` : `${sentence}: ${problem}`);
  }
  if (lines.length === 0) return `No dependencies found for ${issue.key}.`;
  return lines.join('\n');
});

function isSettled({ is_committed, comes_from_tracker, undone }: Dependency): boolean {
  return is_committed || comes_from_tracker || undone;
}

/**
 * Commits or proposes a dependency. Returns null on success; otherwise, the reason why it was not
 * possible.
 */
async function commit(
  { tools, log }: ActionContext,
  { source_issue_id: blocker, dependent_issue_id: blocked, issue_key, dependency_key }: Dependency,
  standing: LedgerState,
): Promise<string | null> {
  if (standing === 'proposed') return 'it is already proposed.';
  if (standing === 'rejected') return 'it was rejected before.';
  try {
    const written = await tools.write('commit_dependency', { blocker, blocked }, `${blocker}:${blocked}`);
    return written === null ? 'this flow may not commit it.' : null;
  } catch (error) {
    // If one dependency is refused, the remaining ones are still committed.
    if (!(error instanceof AppError) || !error.isCallerError) throw error;
    await log(
      `The dependency “${issue_key} blocks ${dependency_key}” could not be committed. ${error.detail}`,
    );
    return error.detail;
  }
}

function ledgerStateOf(
  { executionId }: ActionContext,
  { source_issue_id, dependent_issue_id }: Dependency,
  records: readonly ChangeRecord[],
): LedgerState {
  const same = records
    .map(({ change }) => change)
    .filter(
      ({ payload }) =>
        payload.source_issue === source_issue_id && payload.dependent_issue === dependent_issue_id,
    );
  if (same.some((change) => isRequestedBy(executionId, change))) return 'own';
  const statuses = same.map(({ status }) => status);
  return (['proposed', 'rejected'] as const).find((status) => statuses.includes(status)) ?? null;
}
