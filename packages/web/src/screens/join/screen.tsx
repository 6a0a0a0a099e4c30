import { Button } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ROLES } from '@winnow/contract/role';
import { invitationAccepted, shownInvitation } from '@winnow/contract/workspace';
import { Link, useSearchParams } from 'react-router';
import { useOneAtATime } from '../../api/query/one-at-a-time.ts';
import { queryKeys } from '../../api/query/query-keys.ts';
import { api, publicApi, switchWorkspace } from '../../api/session/session.ts';
import { useCurrentUser } from '../../features/account/current-user.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorState } from '../../ui/states/error-state.tsx';
import { Loading, RowsSkeleton } from '../../ui/states/skeletons.tsx';

/** Shows the invitation of the link and accepts it. */
export function JoinScreen() {
  const token = useSearchParams()[0].get('token') ?? '';
  const user = useCurrentUser().data;
  const invitation = useQuery({
    queryKey: queryKeys.workspace.invitation(token),
    queryFn: ({ signal }) =>
      publicApi('POST', '/invitations/look-up', { body: { token }, schema: shownInvitation, signal }),
    retry: false,
  });
  const acceptance = useOneAtATime(
    useMutation({
      mutationFn: () => api('POST', '/invitations/accept', { body: { token }, schema: invitationAccepted }),
      onSuccess: ({ workspace_id }) => switchWorkspace(workspace_id),
    }),
  );
  const shown = invitation.data;
  return (
    <Page width="normal">
      {invitation.isError ? (
        <ErrorState error={invitation.error} title="This invitation cannot be accepted" />
      ) : shown === undefined ? (
        <Loading label="Loading the invitation">
          <RowsSkeleton rows={2} />
        </Loading>
      ) : (
        <EmptyState
          icon={IconUsersGroup}
          title={`Join ${shown.workspace}`}
          action={
            <>
              <Button
                variant="filled"
                loading={acceptance.isPending}
                onClick={() => acceptance.mutate(undefined)}
              >
                Accept the invitation
              </Button>{' '}
              <Button component={Link} to="/console">
                Not now
              </Button>
            </>
          }
        >
          {shown.invited_by === null ? 'You are invited' : `${shown.invited_by} invites you`} to this
          workspace as {ROLES[shown.role].label}. {ROLES[shown.role].description}
          {shown.email === null || user === undefined
            ? ''
            : ` The invitation is for ${shown.email}; you are signed in as ${user.email}.`}
        </EmptyState>
      )}
      {acceptance.isError ? (
        <ErrorState error={acceptance.error} title="The invitation was not accepted" />
      ) : null}
    </Page>
  );
}
