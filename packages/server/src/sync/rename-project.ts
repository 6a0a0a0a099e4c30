import type { IssueIntake } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import { type OpenTracker, type ProviderProject, scopeOf } from '../trackers/index.ts';
import * as store from './store.ts';

/**
 * Renames a stored project, and changes the keys of its issues. The caller's transaction must hold
 * the exclusive lock of the tracker.
 */
export async function renameProject(
  db: Db,
  intake: IssueIntake,
  { account_id: accountId, tracker_id: trackerId, id, identifier: from }: store.ProjectRow,
  { identifier, name }: ProviderProject,
): Promise<void> {
  if (from === identifier) return;
  await store.saveProject(db, accountId, id, { identifier, name });
  await intake.renameProject(db, { accountId, trackerId, projectId: id }, from, identifier);
}

/**
 * True if the project stays in scope and in the same organization under its new name. It can then
 * be renamed without listing all projects again.
 */
export function staysInScope(
  rules: OpenTracker['rules'],
  row: Pick<store.ProjectRow, 'identifier'>,
  project: ProviderProject,
): boolean {
  const organization = parentOf(row.identifier);
  return (
    parentOf(project.identifier) === organization &&
    scopeOf(rules, organization, [project]).inScope.length > 0
  );
}

function parentOf(identifier: string): string {
  return identifier.slice(0, Math.max(0, identifier.lastIndexOf('/')));
}
