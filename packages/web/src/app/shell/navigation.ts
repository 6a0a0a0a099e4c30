import {
  type Icon,
  IconCircleDot,
  IconHistory,
  IconLayoutDashboard,
  IconPlugConnected,
  IconSettings,
} from '@tabler/icons-react';

export type ScreenLink = {
  to: string;
  label: string;
  /** Which count stands beside it. */
  count?: 'trackers' | 'pairs' | 'proposals';
};
export type NavigationItem = ScreenLink & { icon: Icon };
export type NavigationGroup = { id: string; label: string; icon: Icon; items: ScreenLink[] };

/** Screens at the top of the sidebar. */
export const TOP_SCREENS: NavigationItem[] = [
  { to: '/console', label: 'Overview', icon: IconLayoutDashboard },
  { to: '/console/trackers', label: 'Trackers', icon: IconPlugConnected, count: 'trackers' },
  { to: '/console/changes', label: 'Changes', icon: IconHistory, count: 'proposals' },
];

/** Groups that can be folded. Only screens that exist are listed. */
export const SCREEN_GROUPS: NavigationGroup[] = [
  {
    id: 'issues',
    label: 'Issues',
    icon: IconCircleDot,
    items: [
      { to: '/console/issues', label: 'Similarity', count: 'pairs' },
      { to: '/console/issues/compliance', label: 'Compliance' },
      { to: '/console/issues/dependencies', label: 'Dependencies' },
    ],
  },
  {
    id: 'settings',
    label: 'Settings',
    icon: IconSettings,
    items: [
      { to: '/console/settings/profile', label: 'Profile' },
      { to: '/console/settings/ai-models', label: 'Models' },
      { to: '/console/settings/appearance', label: 'Appearance' },
    ],
  },
];
