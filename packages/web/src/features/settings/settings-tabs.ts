/** Settings screens, in tab order. */
export const SETTINGS_TABS: { to: string; label: string }[] = [
  { to: '/console/settings/profile', label: 'Profile' },
  { to: '/console/settings/security', label: 'Security' },
  { to: '/console/settings/members', label: 'Members' },
  { to: '/console/settings/audit-log', label: 'Audit Log' },
  { to: '/console/settings/subscription', label: 'Subscription' },
  { to: '/console/settings/api-keys', label: 'API Keys' },
  { to: '/console/api-usage', label: 'API Usage' },
  { to: '/console/settings/ai-models', label: 'Models' },
  { to: '/console/settings/mcp-servers', label: 'MCP Servers' },
  { to: '/console/settings/appearance', label: 'Appearance' },
];
