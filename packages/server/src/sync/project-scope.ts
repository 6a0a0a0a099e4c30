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

/** An organization that the scope rules include, as the tracker currently lists it. */
export interface FoundOrganization {
  organization: ProviderOrganization;
  /** Listed projects that are in scope. */
  projects: ProviderProject[];
  /** Identifiers of projects that the scope rules name but the tracker does not list. */
  missing: string[];
  /** True if the scope rules include this stored project although the tracker does not list it. */
  isIncluded: (project: store.ProjectRow) => boolean;
}

/** Lists the tracker's organizations and projects that the scope rules include. */
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
 * Deletes stored projects that the scope rules exclude, without calling the tracker. A narrower
 * scope thus takes effect even while the tracker is unreachable. Returns true if any project was
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
   * Stored projects in scope that the tracker does not list at present. Their issues are retained.
   */
  unlisted: store.ProjectRow[];
  /** True if out-of-scope projects were removed with their issues. */
  removed: boolean;
}

/**
 * Stores the projects in scope and deletes those outside it.
 * @throws {TrackerGone} if the tracker was deleted
 */
export async function storeScope(
  db: Db,
  intake: IssueIntake,
  { account_id: accountId, id: trackerId }: OpenTracker['row'],
  found: readonly FoundOrganization[],
): Promise<StoredScope> {
  // Lock exclusively: another process may be working on the projects that are deleted here.
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
  // Keep projects that the tracker does not list: one wrong response must not delete their issues
  // and decisions. Only a change of the scope rules deletes projects.
  const projectIds = [...inScope.map(({ row }) => row.id), ...unlisted.map(({ id }) => id)];
  const removed = await removeRest(db, intake, accountId, trackerId, { projectIds, organizationIds });
  return { inScope, unlisted, removed };
}

/**
 * Deletes all projects and organizations of the tracker except those in `kept`. Returns true if any
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
