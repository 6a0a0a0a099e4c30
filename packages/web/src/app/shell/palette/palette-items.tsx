import { type Icon, IconFolder, IconMoon, IconSun, IconUsersGroup } from '@tabler/icons-react';
import type { Project } from '@winnow/contract/issue';
import { ROLES } from '@winnow/contract/role';
import type { Workspace } from '@winnow/contract/workspace';
import type { ReactNode } from 'react';
import { switchWorkspace } from '../../../api/session/session.ts';
import { namesakeLookup, withTracker } from '../../../features/issues/namesakes.ts';
import type { Scheme } from '../../../theme/theme-preference.ts';
import { chooseTheme } from '../../../theme/theme-store.ts';
import { FURTHER_SCREENS, type NavigationItem, SCREEN_GROUPS, TOP_SCREENS } from '../navigation.ts';

/** An item of the command palette: a link or an action. */
type PaletteItem = {
  id: string;
  label: string;
  description?: string;
  icon: ReactNode;
  choose: () => void;
};
export type PaletteGroup = { label: string; items: PaletteItem[] };

function icon(Glyph: Icon): ReactNode {
  return <Glyph size={16} stroke={1.75} aria-hidden />;
}

/**
 * Returns the items of the command palette that can be found by name: screens, projects,
 * workspaces, and the theme switch.
 */
export function paletteItems(
  projects: readonly Project[],
  workspaces: readonly Workspace[],
  scheme: Scheme,
  go: (to: string) => void,
): PaletteGroup[] {
  const other = scheme === 'dark' ? 'light' : 'dark';
  const screen = ({ to, label, icon: Glyph }: NavigationItem) => {
    return { id: to, label, icon: icon(Glyph), choose: () => go(to) };
  };
  return [
    {
      label: 'Screens',
      items: [
        ...TOP_SCREENS.map(screen),
        ...SCREEN_GROUPS.flatMap((group) =>
          group.items.map(({ to, label }) => ({
            id: to,
            label,
            description: group.label,
            icon: icon(group.icon),
            choose: () => go(to),
          })),
        ),
        ...FURTHER_SCREENS.map(screen),
      ],
    },
    {
      label: 'Similar issues of a project',
      items: projects.map(({ id, name, identifier }) => ({
        id: `project-${id}`,
        label: withTracker(name, namesakeLookup(projects)(id)),
        description: identifier,
        icon: icon(IconFolder),
        choose: () => go(`/console/issues?projects=${id.split('-')[0]}`),
      })),
    },
    {
      label: 'Switch to a workspace',
      items: workspaces.map(({ id, name, role, personal }) => ({
        id: `workspace-${id}`,
        label: name,
        description: `Workspace, ${ROLES[role].label}`,
        icon: icon(IconUsersGroup),
        choose: () => switchWorkspace(personal ? null : id),
      })),
    },
    {
      label: 'Theme',
      items: [
        {
          id: 'theme',
          label: `Switch to the ${other} theme`,
          icon: icon(other === 'dark' ? IconMoon : IconSun),
          choose: () => chooseTheme(other),
        },
      ],
    },
  ];
}
