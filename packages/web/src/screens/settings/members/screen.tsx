import { SettingsPage } from '../../../features/settings/settings-page.tsx';
import { usePermission } from '../../../features/workspaces/permission.tsx';
import { useWorkspace } from '../../../features/workspaces/queries.ts';
import { InvitationsCard } from './invitations-card.tsx';
import { JoinableCard } from './joinable-card.tsx';
import { LeaveCard } from './leave-card.tsx';
import { MembersCard } from './members-card.tsx';
import { RolesCard } from './roles-card.tsx';
import { WorkspaceCard } from './workspace-card.tsx';

/** Settings: the members of the selected workspace, invitations, roles and rules. */
export function MembersScreen() {
  const workspace = useWorkspace().data;
  const mayManage = usePermission('manage').allowed;
  return (
    <SettingsPage width="normal">
      <JoinableCard />
      <MembersCard />
      {mayManage ? <InvitationsCard /> : null}
      {workspace === undefined ? null : <WorkspaceCard workspace={workspace} />}
      <RolesCard />
      {workspace === undefined ? null : <LeaveCard workspace={workspace} />}
    </SettingsPage>
  );
}
