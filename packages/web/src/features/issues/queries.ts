import { useQuery } from '@tanstack/react-query';
import { organizationList, projectList } from '@winnow/contract/issue';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

/** All projects of the account. */
export function useProjects() {
  return useQuery({
    queryKey: queryKeys.issues.projects(),
    queryFn: ({ signal }) => api('GET', '/projects', { schema: projectList, signal }),
  });
}

/** The organizations that the projects belong to. */
export function useOrganizations() {
  return useQuery({
    queryKey: queryKeys.issues.organizations(),
    queryFn: ({ signal }) => api('GET', '/organizations', { schema: organizationList, signal }),
    select: (list) => list.items,
  });
}
