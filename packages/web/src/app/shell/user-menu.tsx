import { Menu, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconLogout, IconUser } from '@tabler/icons-react';
import { Link } from 'react-router';
import { signOut } from '../../api/session/session.ts';
import { useCurrentUser } from '../../features/account/current-user.ts';
import { initials } from './initials.ts';
import classes from './user-menu.module.css';

/** Account menu with the profile and Sign Out. It can be used before the user data is loaded. */
export function UserMenu() {
  const { data: user } = useCurrentUser();
  const name = user ? (user.full_name ?? user.username) : '';
  return (
    <Menu width={220} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={classes.user}>
          <span className="vh">Account</span>
          <span className={classes.avatar} aria-hidden="true">
            {user ? initials(user.full_name, user.username) : null}
          </span>
          <span className={classes.who}>
            <b className="trunc">{name}</b>
            <small className="trunc">{user?.email ?? ''}</small>
          </span>
          <IconChevronDown size={14} stroke={1.75} aria-hidden className={classes.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {user ? (
          <div className={classes.summary}>
            <b className="trunc">{name}</b>
            <span className="trunc">{user.email}</span>
          </div>
        ) : null}
        <Menu.Item
          component={Link}
          to="/console/settings/profile"
          leftSection={<IconUser size={16} stroke={1.75} aria-hidden />}
        >
          Profile
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.75} aria-hidden />} onClick={signOut}>
          Sign Out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
