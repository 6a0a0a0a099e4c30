import {
  createBrowserRouter,
  type LoaderFunction,
  type Params,
  type RouteObject,
  redirect,
  redirectDocument,
} from 'react-router';
import { rememberReturnPath } from '../api/session/return-path.ts';
import { isSignedIn } from '../api/session/session.ts';
import { NotFoundScreen } from './not-found.tsx';
import { RouteFailure } from './route-failure.tsx';

/**
 * Title of a screen, for the header and the browser tab. The title may depend on route parameters.
 */
type ScreenHandle = { title: string | ((parameters: Params) => string) };

function handle(title: ScreenHandle['title']): ScreenHandle {
  return { title };
}

/** Redirects visitors without a session to sign-in. Stores the path to open after sign-in. */
function requireSession({ request }: { request: Request }): Response | null {
  if (isSignedIn()) return null;
  const { pathname, search, hash } = new URL(request.url);
  rememberReturnPath(window.localStorage, `${pathname}${search}${hash}`);
  return redirectDocument('/login');
}

/**
 * A route of the console. It either shows a screen, which needs a title, or redirects in its
 * loader.
 */
type ConsoleRoute = RouteObject & ({ handle: ScreenHandle } | { loader: LoaderFunction });

const consoleRoutes: ConsoleRoute[] = [
  {
    index: true,
    handle: handle('Overview'),
    lazy: async () => ({ Component: (await import('../screens/overview/screen.tsx')).OverviewScreen }),
  },
  {
    path: 'trackers',
    handle: handle('Trackers'),
    lazy: async () => ({ Component: (await import('../screens/trackers/screen.tsx')).TrackersScreen }),
  },
  {
    path: 'issues',
    handle: handle('Issue Similarity'),
    lazy: async () => ({ Component: (await import('../screens/similarity/screen.tsx')).SimilarityScreen }),
  },
  {
    path: 'issues/clusters',
    handle: handle('Issue Clusters'),
    lazy: async () => ({ Component: (await import('../screens/clusters/screen.tsx')).ClustersScreen }),
  },
  {
    path: 'issues/compliance',
    handle: handle('Issue Compliance'),
    lazy: async () => ({ Component: (await import('../screens/compliance/screen.tsx')).ComplianceScreen }),
  },
  {
    path: 'issues/dependencies',
    handle: handle('Issue Dependencies'),
    lazy: async () => ({
      Component: (await import('../screens/dependencies/screen.tsx')).DependenciesScreen,
    }),
  },
  {
    path: 'issues/duplicates',
    handle: handle('Issues Dashboard'),
    lazy: async () => ({
      Component: (await import('../screens/issues-dashboard/screen.tsx')).IssuesDashboardScreen,
    }),
  },
  {
    path: 'issues/assignments',
    handle: handle('Assignments'),
    lazy: async () => ({ Component: (await import('../screens/assignments/screen.tsx')).AssignmentsScreen }),
  },
  {
    path: 'flows',
    handle: handle('Flows'),
    lazy: async () => ({ Component: (await import('../screens/flows/list/screen.tsx')).FlowsScreen }),
  },
  {
    path: 'flows/new',
    handle: handle('Create Flow'),
    lazy: async () => ({ Component: (await import('../screens/flows/form/new-screen.tsx')).NewFlowScreen }),
  },
  {
    path: 'flows/executions',
    handle: handle('Flow Executions'),
    lazy: async () => ({
      Component: (await import('../screens/flows/executions/list-screen.tsx')).ExecutionsScreen,
    }),
  },
  {
    path: 'flows/executions/:executionId',
    handle: handle(({ executionId }) => `Flow Execution: ${executionId}`),
    lazy: async () => ({
      Component: (await import('../screens/flows/executions/detail/screen.tsx')).ExecutionScreen,
    }),
  },
  {
    path: 'flows/:flowId',
    handle: handle('Edit Flow'),
    lazy: async () => ({ Component: (await import('../screens/flows/form/edit-screen.tsx')).FlowScreen }),
  },
  {
    path: 'changes',
    handle: handle('Changes'),
    lazy: async () => ({ Component: (await import('../screens/changes/screen.tsx')).ChangesScreen }),
  },
  {
    path: 'api-usage',
    handle: handle('API Usage'),
    lazy: async () => ({ Component: (await import('../screens/api-usage/screen.tsx')).ApiUsageScreen }),
  },
  {
    path: 'settings',
    loader: ({ request }) => redirect(`/console/settings/profile${new URL(request.url).search}`),
  },
  {
    path: 'settings/profile',
    handle: handle('Profile'),
    lazy: async () => ({ Component: (await import('../screens/settings/profile.tsx')).ProfileScreen }),
  },
  {
    path: 'settings/security',
    handle: handle('Security'),
    lazy: async () => ({
      Component: (await import('../screens/settings/security/screen.tsx')).SecurityScreen,
    }),
  },
  {
    path: 'settings/members',
    handle: handle('Members'),
    lazy: async () => ({ Component: (await import('../screens/settings/members/screen.tsx')).MembersScreen }),
  },
  {
    path: 'settings/audit-log',
    handle: handle('Audit Log'),
    lazy: async () => ({
      Component: (await import('../screens/settings/audit-log/screen.tsx')).AuditLogScreen,
    }),
  },
  {
    path: 'join',
    handle: handle('Join a Workspace'),
    lazy: async () => ({ Component: (await import('../screens/join/screen.tsx')).JoinScreen }),
  },
  {
    path: 'settings/subscription',
    handle: handle('Your Subscriptions'),
    lazy: async () => ({
      Component: (await import('../screens/settings/subscription/screen.tsx')).SubscriptionScreen,
    }),
  },
  {
    path: 'settings/api-keys',
    handle: handle('API Keys'),
    lazy: async () => ({
      Component: (await import('../screens/settings/api-keys/screen.tsx')).ApiKeysScreen,
    }),
  },
  {
    path: 'settings/ai-models',
    handle: handle('Models'),
    lazy: async () => ({ Component: (await import('../screens/settings/models/screen.tsx')).ModelsScreen }),
  },
  {
    path: 'settings/mcp-servers',
    handle: handle('MCP Servers'),
    lazy: async () => ({
      Component: (await import('../screens/settings/mcp-servers/screen.tsx')).McpServersScreen,
    }),
  },
  {
    path: 'settings/appearance',
    handle: handle('Appearance'),
    lazy: async () => ({ Component: (await import('../screens/settings/appearance.tsx')).AppearanceScreen }),
  },
  {
    path: 'pricing',
    handle: handle('Plans'),
    lazy: async () => ({ Component: (await import('../screens/pricing/screen.tsx')).PricingScreen }),
  },
  { path: '*', handle: handle('Not found'), Component: NotFoundScreen },
];

/** Routes of the console. Public pages are built separately (src/site). */
export const router = createBrowserRouter([
  {
    path: 'console',
    ErrorBoundary: RouteFailure,
    HydrateFallback: FirstPaint,
    loader: requireSession,
    // The session is checked again only if the path changes. A check after every change of the
    // query string would delay it.
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
    lazy: async () => ({ Component: (await import('./shell/shell.tsx')).ConsoleShell }),
    children: [{ ErrorBoundary: RouteFailure, children: consoleRoutes }],
  },
]);

/** Invisible placeholder while the code of the first screen loads. Screen readers announce it. */
function FirstPaint() {
  return (
    <p className="vh" role="status">
      Loading Winnow
    </p>
  );
}
