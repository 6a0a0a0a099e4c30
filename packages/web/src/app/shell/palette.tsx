import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconFolder, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { projectList } from '@winnow/contract/issue';
import { useNavigate } from 'react-router';
import { queryKeys } from '../query-keys.ts';
import { api } from '../session/session.ts';
import { chooseTheme, useTheme } from '../theme/theme-store.ts';
import { SCREEN_GROUPS, TOP_SCREENS } from './navigation.ts';

/** The command palette: Ctrl/Cmd+K, then a screen or a project. */
export function Palette() {
  const navigate = useNavigate();
  const { scheme } = useTheme();
  const { data: projects = [] } = useQuery({
    queryKey: queryKeys.issues.projects(),
    queryFn: ({ signal }) => api('GET', '/projects', { schema: projectList, signal }),
  });
  const go = (to: string) => () => void navigate(to);
  const other = scheme === 'dark' ? 'light' : 'dark';
  const screens = [
    ...TOP_SCREENS.map((screen) => ({ ...screen, group: '' })),
    ...SCREEN_GROUPS.flatMap(({ label, icon, items }) =>
      items.map((screen) => ({ ...screen, icon, group: label })),
    ),
  ];
  const actions: SpotlightActionGroupData[] = [
    {
      group: 'Screens',
      actions: screens.map(({ to, label, icon: Glyph, group }) => ({
        id: to,
        label,
        ...(group === '' ? {} : { description: group }),
        leftSection: <Glyph size={16} stroke={1.75} aria-hidden />,
        onClick: go(to),
      })),
    },
    {
      group: 'Similar issues of a project',
      actions: projects.map(({ id, name, identifier }) => ({
        id: `project-${id}`,
        label: name,
        description: identifier,
        leftSection: <IconFolder size={16} stroke={1.75} aria-hidden />,
        onClick: go(`/console/issues?projects=${id.split('-')[0]}`),
      })),
    },
    {
      group: 'Theme',
      actions: [
        {
          id: 'theme',
          label: `Switch to the ${other} theme`,
          leftSection:
            other === 'dark' ? (
              <IconMoon size={16} stroke={1.75} aria-hidden />
            ) : (
              <IconSun size={16} stroke={1.75} aria-hidden />
            ),
          onClick: () => chooseTheme(other),
        },
      ],
    },
  ];
  return (
    <Spotlight
      actions={actions}
      shortcut="mod + K"
      nothingFound="Nothing with that name"
      highlightQuery
      scrollable
      maxHeight={420}
      limit={40}
      yOffset="12dvh"
      overlayProps={{ color: 'var(--scrim)', backgroundOpacity: 1, blur: 0 }}
      centered={false}
      tagsToIgnore={[]}
      attributes={{ content: { 'aria-label': 'Go to' } }}
      searchProps={{
        leftSection: <IconSearch size={16} stroke={1.75} aria-hidden />,
        placeholder: 'Go to a screen or a project',
        'aria-label': 'Go to a screen or a project',
      }}
    />
  );
}
