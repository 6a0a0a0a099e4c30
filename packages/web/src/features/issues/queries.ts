import { useQuery } from '@tanstack/react-query';
import { organizationList, projectList } from '@winnow/contract/issue';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api } from '../../api/session/session.ts';

export function useProjects() {
  return useQuery({
    queryKey: queryKeys.issues.projects(),
    queryFn: ({ signal }) => api('GET', '/projects', { schema: projectList, signal }),
  });
}

export function useOrganizations() {
  return useQuery({
    queryKey: queryKeys.issues.organizations(),
    queryFn: ({ signal }) => api('GET', '/organizations', { schema: organizationList, signal }),
    select: (list) => list.items,
  });
}
