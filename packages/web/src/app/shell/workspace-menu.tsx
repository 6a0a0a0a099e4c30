import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronDown, IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { ROLES } from '@winnow/contract/role';
import { useState } from 'react';
import { Link } from 'react-router';
import { switchWorkspace } from '../../api/session/session.ts';
import { CreateWorkspace } from '../../features/workspaces/create-workspace.tsx';
import { useWorkspace, useWorkspaces } from '../../features/workspaces/queries.ts';
import classes from './workspace-menu.module.css';

/** Shows the selected workspace and switches to another one. */
export function WorkspaceMenu() {
  const { data: current } = useWorkspace();
  const { data: workspaces = [] } = useWorkspaces();
  const [creating, setCreating] = useState(false);
  const name = current?.name ?? '';
  return (
    <>
      <Menu width={280} withinPortal={false}>
        <Menu.Target>
          <UnstyledButton className={classes.button}>
            <span className="vh">Workspace</span>
            <IconUsersGroup size={16} stroke={1.75} aria-hidden />
            <span className={`trunc ${classes.name}`}>{name}</span>
            <IconChevronDown size={14} stroke={1.75} aria-hidden className={classes.chevron} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown className={classes.dropdown ?? ''}>
          <Menu.Label>Workspaces</Menu.Label>
          {workspaces.map((workspace) => {
            const isCurrent = workspace.id === current?.id;
            return (
              <Menu.Item
                key={workspace.id}
                aria-current={isCurrent ? true : undefined}
                rightSection={isCurrent ? <IconCheck size={16} aria-hidden /> : null}
                onClick={() => {
                  if (!isCurrent) switchWorkspace(workspace.personal ? null : workspace.id);
                }}
              >
                <span className={`trunc ${classes.item}`}>{workspace.name}</span>
                <small className={classes.facts}>
                  {ROLES[workspace.role].label}
                  {workspace.personal ? ' · personal' : ''}
                </small>
              </Menu.Item>
            );
          })}
          <Menu.Divider />
          <Menu.Item component={Link} to="/console/settings/members">
            Members and settings
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            Create a workspace
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <CreateWorkspace opened={creating} onClose={() => setCreating(false)} />
    </>
  );
}
