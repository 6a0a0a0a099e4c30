import {
  type Icon,
  IconArrowsSplit2,
  IconCircleDot,
  IconHistory,
  IconLayoutDashboard,
  IconPlugConnected,
  IconSettings,
} from '@tabler/icons-react';
import { SETTINGS_TABS } from '../../features/settings/settings-tabs.ts';

export type ScreenLink = {
  to: string;
  label: string;
  /** Kind of count displayed beside the link. */
  count?: 'trackers' | 'pairs' | 'proposals';
};
export type NavigationItem = ScreenLink & { icon: Icon };
export type NavigationGroup = { id: string; label: string; icon: Icon; items: ScreenLink[] };

const FLOWS: NavigationItem = { to: '/console/flows', label: 'Flows', icon: IconArrowsSplit2 };

/** Screens at the top of the sidebar. */
export const TOP_SCREENS: NavigationItem[] = [
  { to: '/console', label: 'Overview', icon: IconLayoutDashboard },
  { to: '/console/trackers', label: 'Trackers', icon: IconPlugConnected, count: 'trackers' },
  ...(isProductionHost() ? [] : [FLOWS]),
  { to: '/console/changes', label: 'Changes', icon: IconHistory, count: 'proposals' },
];

/** Groups of screens in the sidebar. Users can collapse them. */
export const SCREEN_GROUPS: NavigationGroup[] = [
  {
    id: 'issues',
    label: 'Issues',
    icon: IconCircleDot,
    items: [
      { to: '/console/issues', label: 'Similarity', count: 'pairs' },
      { to: '/console/issues/clusters', label: 'Clusters' },
      { to: '/console/issues/compliance', label: 'Compliance' },
      { to: '/console/issues/dependencies', label: 'Dependencies' },
    ],
  },
  {
    id: 'settings',
    label: 'Settings',
    icon: IconSettings,
    items: SETTINGS_TABS,
  },
];

/** Screens that are not in the sidebar. The command palette lists them. */
export const FURTHER_SCREENS: NavigationItem[] = [
  ...(isProductionHost() ? [FLOWS] : []),
  { to: '/console/flows/new', label: 'Create Flow', icon: IconArrowsSplit2 },
  { to: '/console/flows/executions', label: 'Flow Executions', icon: IconArrowsSplit2 },
  { to: '/console/issues/duplicates', label: 'Issues Dashboard', icon: IconCircleDot },
  { to: '/console/issues/assignments', label: 'Assignments', icon: IconCircleDot },
];

/**
 * True if the host of this page equals the production host, which the server names in `<meta
 * name="production-host">`.
 */
function isProductionHost(): boolean {
  const named = document.querySelector<HTMLMetaElement>('meta[name="production-host"]');
  return named !== null && named.content === window.location.hostname;
}
