import { z } from 'zod';
import {
  type ConnectionCheck,
  type ProviderOrganization,
  type ProviderProject,
  TrackerError,
} from '../provider.ts';
import { loginOf, toProject, wireProject } from './map.ts';
import { get, pageOf, readAll, type Site } from './site.ts';

const NEEDED_PERMISSIONS = [
  'BROWSE_PROJECTS',
  'EDIT_ISSUES',
  'ADD_COMMENTS',
  'TRANSITION_ISSUES',
  'CREATE_ISSUES',
  'LINK_ISSUES',
  'ASSIGN_ISSUES',
  'DELETE_OWN_COMMENTS',
  'CLOSE_ISSUES',
  'RESOLVE_ISSUES',
];

const wirePermissions = z.object({
  permissions: z.record(z.string(), z.object({ name: z.string().nullish(), havePermission: z.boolean() })),
});

/**
 * Verifies the token. Reports each required permission that the token's owner has in no project.
 */
export async function checkToken(site: Site, signal: AbortSignal): Promise<ConnectionCheck> {
  const user = await tokenOwner(site, signal);
  const query = { permissions: NEEDED_PERMISSIONS.join(',') };
  const call = { path: '/mypermissions', query, subject: 'the permissions of this token' };
  const { permissions } = await get(site, wirePermissions, call, signal);
  const missingPermissions = NEEDED_PERMISSIONS.flatMap((key) => {
    const permission = permissions[key];
    return permission === undefined || permission.havePermission ? [] : [permission.name ?? key];
  });
  return { login: loginOf(site.dialect, user), missingPermissions, reportsWriteAccess: true };
}

async function tokenOwner(site: Site, signal: AbortSignal) {
  try {
    return await site.myself(signal);
  } catch (error) {
    if (!(error instanceof TrackerError) || error.code !== 'not_found') throw error;
    const sentence = `No Jira server was found at ${site.address.siteUrl}. Check the address.${
      site.address.isCloud ? '' : ' A Jira below a path needs that path, as in https://example.com/jira.'
    }`;
    throw new TrackerError('not_found', sentence, { cause: error });
  }
}

/** Returns the Jira site, the only organization of a connection. */
export async function listOrganizations(site: Site, signal: AbortSignal): Promise<ProviderOrganization[]> {
  await tokenOwner(site, signal);
  return [{ identifier: site.address.host, name: site.address.host }];
}

/** Returns the projects that the token can see, without archived projects. */
export async function listProjects(
  site: Site,
  organizationIdentifier: string,
  signal: AbortSignal,
): Promise<ProviderProject[]> {
  const { address } = site;
  if (organizationIdentifier.toLowerCase() !== address.host.toLowerCase()) {
    throw new TrackerError('not_found', `${address.name} has no site ${organizationIdentifier}.`);
  }
  const subject = 'your projects';
  const projects = address.isCloud
    ? await readAll(site, pageOf(wireProject, 'values'), { path: '/project/search', subject }, signal)
    : await get(site, z.array(wireProject), { path: '/project', subject }, signal);
  return projects.flatMap((project) => toProject(project) ?? []);
}
