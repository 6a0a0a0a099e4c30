import type { IssueIntake } from '../issues/intake.ts';
import type { Db } from '../schema/tables.ts';
import type { Provider, ProviderOrganization, ProviderProject } from '../trackers/provider.ts';
import { includedOrganizations, scopeOf } from '../trackers/scope.ts';
import { holdTracker, type OpenTracker } from '../trackers/service.ts';
import type { ProjectInScope } from './read-project.ts';
import { renameProject } from './rename-project.ts';
import * as store from './store.ts';
import { TrackerGone } from './tracker-gone.ts';

/** An included organization as the tracker lists it now. */
export interface FoundOrganization {
  organization: ProviderOrganization;
  /** Its listed projects that are in scope. */
  projects: ProviderProject[];
  /** Identifiers of projects that the rules name and the tracker does not list. */
  missing: string[];
  /** Whether the rules take in a stored project that was not listed. */
  isMeant: (project: store.ProjectRow) => boolean;
}

/** What the tracker lists of all that the rules take in. */
export async function findScope(
  rules: OpenTracker['rules'],
  provider: Provider,
  signal: AbortSignal,
): Promise<FoundOrganization[]> {
  const visible = await provider.organizations(signal);
  const found: FoundOrganization[] = [];
  for (const identifier of includedOrganizations(rules)) {
    const organization = visible.find((one) => one.identifier.toLowerCase() === identifier.toLowerCase());
    const projects = await provider.projects(identifier, signal);
    const { inScope, missing } = scopeOf(rules, identifier, projects);
    found.push({
      organization: organization ?? { identifier, name: identifier },
      projects: inScope,
      missing,
      isMeant: (project) =>
        !projects.some((listed) => listed.externalId === project.external_id) &&
        scopeOf(rules, identifier, [...projects, project]).inScope.includes(project),
    });
  }
  return found;
}

/**
 * Removes what is stored and the rules exclude by now, by what is stored alone: so a narrower scope takes effect also
 * while the tracker cannot be read. Answers whether anything was removed.
 * @throws {TrackerGone} when the tracker was deleted.
 */
export async function narrowScope(
  db: Db,
  intake: IssueIntake,
  { row: { account_id: accountId, id: trackerId }, rules }: Pick<OpenTracker, 'row' | 'rules'>,
): Promise<boolean> {
  if (!(await holdTracker(db, accountId, trackerId, 'alone'))) throw new TrackerGone();
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

/** What came of {@link storeScope}. */
export interface StoredScope {
  inScope: ProjectInScope[];
  /** Stored projects that are meant but not listed just now; what is stored of them is kept. */
  unlisted: store.ProjectRow[];
  /** Whether projects that are no longer meant were removed, with their issues. */
  removed: boolean;
}

/**
 * Makes what is in scope known, and removes what the rules do not mean any more.
 * @throws {TrackerGone} when the tracker was deleted.
 */
export async function storeScope(
  db: Db,
  intake: IssueIntake,
  { account_id: accountId, id: trackerId }: OpenTracker['row'],
  found: readonly FoundOrganization[],
): Promise<StoredScope> {
  // Alone, since what falls out of scope is removed under whoever works on it.
  if (!(await holdTracker(db, accountId, trackerId, 'alone'))) throw new TrackerGone();
  const inScope: ProjectInScope[] = [];
  const organizationIds: string[] = [];
  const unlisted: store.ProjectRow[] = [];
  for (const { organization, projects, isMeant } of found) {
    const organizationId = await store.upsertOrganization(db, accountId, trackerId, organization);
    organizationIds.push(organizationId);
    const known = await store.projectsOf(db, accountId, organizationId);
    unlisted.push(...known.filter(isMeant));
    for (const project of projects) {
      const before = await store.findProject(db, accountId, trackerId, project.externalId);
      if (before !== undefined) await renameProject(db, intake, before, project);
      const row = await store.upsertProject(db, accountId, trackerId, organizationId, project);
      inScope.push({ row, project });
    }
  }
  // One wrong answer must not take a project's issues and decisions away: only the rules do.
  const projectIds = [...inScope.map(({ row }) => row.id), ...unlisted.map(({ id }) => id)];
  const removed = await removeRest(db, intake, accountId, trackerId, { projectIds, organizationIds });
  return { inScope, unlisted, removed };
}

/** Removes all projects and organizations of a tracker but these; answers whether a project was among them. */
async function removeRest(
  db: Db,
  intake: IssueIntake,
  accountId: string,
  trackerId: string,
  kept: { projectIds: readonly string[]; organizationIds: readonly string[] },
): Promise<boolean> {
  const removed = await store.hasOutOfScope(db, accountId, trackerId, kept.projectIds);
  if (removed) await intake.issuesRemoved(db, accountId, trackerId);
  await store.removeOutOfScope(db, accountId, trackerId, kept);
  return removed;
}
