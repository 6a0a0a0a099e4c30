import { useQuery } from '@tanstack/react-query';
import { organizationList, projectList } from '@winnow/contract/issue';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { api } from '../../../api/session/session.ts';
import { everyOrganization } from './every-organization.ts';

/** Loads the organizations of a tracker. Without a tracker, loads those of all trackers. */
export function useOrganizationsOf(trackerId: string | null) {
  const query = { tracker_id: trackerId ?? undefined };
  return useQuery({
    queryKey: queryKeys.issues.organizations({ ...query, every: true }),
    queryFn: ({ signal }) =>
      everyOrganization((skip) =>
        api('GET', '/organizations', { query: { ...query, skip }, schema: organizationList, signal }),
      ),
  });
}

/**
 * Loads the projects of an organization. Without an organization, loads those of the tracker.
 * Without both, loads those of all trackers.
 */
export function useProjectsOf(trackerId: string | null, organizationId: string | null) {
  const query = { tracker_id: trackerId ?? undefined, organization_id: organizationId ?? undefined };
  return useQuery({
    queryKey: queryKeys.issues.projects(query),
    queryFn: ({ signal }) => api('GET', '/projects', { query, schema: projectList, signal }),
  });
}
