import type { IssueIntake } from '../issues/index.ts';
import type { Db } from '../schema/tables.ts';
import {
  includedOrganizations,
  lockTrackerRow,
  type OpenTracker,
  type Provider,
  type ProviderOrganization,
  type ProviderProject,
  scopeOf,
} from '../trackers/index.ts';
import type { ProjectInScope } from './read-project.ts';
import { renameProject } from './rename-project.ts';
import * as store from './store.ts';
import { TrackerGone } from './tracker-gone.ts';

/**
 * An organization that the scope rules include, with its projects as the tracker currently lists
 * them.
 */
export interface FoundOrganization {
  organization: ProviderOrganization;
  /** Projects of the organization that the tracker lists and that are in scope. */
  projects: ProviderProject[];
  /** Identifiers of projects that the scope rules name, but the tracker does not list. */
  missing: string[];
  /** True if the scope rules include a stored project that the tracker does not list. */
  isIncluded: (project: store.ProjectRow) => boolean;
}

/** Lists the organizations that the scope rules include, and their projects in scope. */
export async function findScope(
  rules: OpenTracker['rules'],
  provider: Provider,
  signal: AbortSignal,
): Promise<FoundOrganization[]> {
  const visible = await provider.organizations(signal);
  const found: FoundOrganization[] = [];
  for (const identifier of includedOrganizations(rules)) {
    const organization = visible.find(
      (candidate) => candidate.identifier.toLowerCase() === identifier.toLowerCase(),
    );
    const projects = await provider.projects(identifier, signal);
    const { inScope, missing } = scopeOf(rules, identifier, projects);
    found.push({
      organization: organization ?? { identifier, name: identifier },
      projects: inScope,
      missing,
      isIncluded: (project) =>
        !projects.some((listed) => listed.externalId === project.external_id) &&
        scopeOf(rules, identifier, [...projects, project]).inScope.includes(project),
    });
  }
  return found;
}

/**
 * Deletes the stored projects that the scope rules exclude. Does not call the tracker, so a
 * narrower scope takes effect even while the tracker is unreachable. Returns true if a project was
 * deleted.
 * @throws {TrackerGone} if the tracker was deleted
 */
export async function narrowScope(
  db: Db,
  intake: IssueIntake,
  { row: { account_id: accountId, id: trackerId }, rules }: Pick<OpenTracker, 'row' | 'rules'>,
): Promise<boolean> {
  if (!(await lockTrackerRow(db, accountId, trackerId, 'exclusive'))) throw new TrackerGone();
  const included = includedOrganizations(rules).map((identifier) => identifier.toLowerCase());
  const projectIds: string[] = [];
  const organizationIds: string[] = [];
  for (const organization of await store.organizationsOf(db, accountId, trackerId)) {
    if (!included.includes(organization.identifier.toLowerCase())) continue;
    organizationIds.push(organization.id);
    const known = await store.projectsOf(db, accountId, organization.id);
    projectIds.push(...scopeOf(rules, organization.identifier, known).inScope.map(({ id }) => id));
  }
  return removeRest(db, intake, accountId, trackerId, { projectIds, organizationIds });
}

/** Result of {@link storeScope}. */
export interface StoredScope {
  inScope: ProjectInScope[];
  /**
   * Stored projects in scope that the tracker does not list at the moment. Their issues are
   * retained.
   */
  unlisted: store.ProjectRow[];
  /** True if projects that are out of scope were deleted with their issues. */
  removed: boolean;
}

/**
 * Stores the projects that are in scope, and deletes stored projects that are out of scope.
 * @throws {TrackerGone} if the tracker was deleted
 */
export async function storeScope(
  db: Db,
  intake: IssueIntake,
  { account_id: accountId, id: trackerId }: OpenTracker['row'],
  found: readonly FoundOrganization[],
): Promise<StoredScope> {
  // Takes the exclusive lock, because another process may be working on a project that is deleted
  // here.
  if (!(await lockTrackerRow(db, accountId, trackerId, 'exclusive'))) throw new TrackerGone();
  const inScope: ProjectInScope[] = [];
  const organizationIds: string[] = [];
  const unlisted: store.ProjectRow[] = [];
  for (const { organization, projects, isIncluded } of found) {
    const organizationId = await store.upsertOrganization(db, accountId, trackerId, organization);
    organizationIds.push(organizationId);
    const known = await store.projectsOf(db, accountId, organizationId);
    unlisted.push(...known.filter(isIncluded));
    for (const project of projects) {
      const before = await store.findProject(db, accountId, trackerId, project.externalId);
      if (before !== undefined) await renameProject(db, intake, before, project);
      const row = await store.upsertProject(db, accountId, trackerId, organizationId, project);
      inScope.push({ row, project });
    }
  }
  // Retains projects that the tracker does not list: a single wrong response must not delete their
  // issues and decisions. Only a change of the scope rules deletes a project.
  const projectIds = [...inScope.map(({ row }) => row.id), ...unlisted.map(({ id }) => id)];
  const removed = await removeRest(db, intake, accountId, trackerId, { projectIds, organizationIds });
  return { inScope, unlisted, removed };
}

/**
 * Deletes all projects and organizations of the tracker that are not in `kept`. Returns true if a
 * project was deleted.
 */
async function removeRest(
  db: Db,
  intake: IssueIntake,
  accountId: string,
  trackerId: string,
  kept: { projectIds: readonly string[]; organizationIds: readonly string[] },
): Promise<boolean> {
  const removed = await store.hasOutOfScope(db, accountId, trackerId, kept.projectIds);
  if (removed) await intake.prepareRemoval(db, accountId, trackerId);
  await store.removeOutOfScope(db, accountId, trackerId, kept);
  return removed;
}
