import { createBrowserRouter, type RouteObject, redirect } from 'react-router';
import { LoginScreen } from '../site/login/screen.tsx';
import { RegisterScreen } from '../site/register/screen.tsx';
import { FirstPaint } from './first-paint.tsx';
import { NotFoundScreen } from './not-found.tsx';
import { RouteFailure } from './route-failure.tsx';
import { rememberReturnPath } from './session/return-path.ts';
import { isSignedIn } from './session/session.ts';

/** What a route says about its screen: the title in the header and in the browser's tab. */
export type ScreenHandle = { title: string };

function handle(title: string): ScreenHandle {
  return { title };
}

/** Nobody without a token sees the console; the way back is kept. */
function requireSession({ request }: { request: Request }): Response | null {
  if (isSignedIn()) return null;
  const { pathname, search, hash } = new URL(request.url);
  rememberReturnPath(window.localStorage, `${pathname}${search}${hash}`);
  return redirect('/login');
}

/** Whoever is signed in has no use for the ways in. */
function requireVisitor(): Response | null {
  return isSignedIn() ? redirect('/console') : null;
}

const consoleRoutes: RouteObject[] = [
  {
    index: true,
    handle: handle('Overview'),
    lazy: async () => ({ Component: (await import('../console/overview/screen.tsx')).OverviewScreen }),
  },
  {
    path: 'trackers',
    handle: handle('Trackers'),
    lazy: async () => ({ Component: (await import('../console/trackers/screen.tsx')).TrackersScreen }),
  },
  {
    path: 'issues',
    handle: handle('Issue Similarity'),
    lazy: async () => ({ Component: (await import('../console/similarity/screen.tsx')).SimilarityScreen }),
  },
  { path: 'settings', loader: () => redirect('/console/settings/profile') },
  {
    path: 'settings/profile',
    handle: handle('Profile'),
    lazy: async () => ({ Component: (await import('../console/settings/profile.tsx')).ProfileScreen }),
  },
  {
    path: 'settings/appearance',
    handle: handle('Appearance'),
    lazy: async () => ({ Component: (await import('../console/settings/appearance.tsx')).AppearanceScreen }),
  },
  { path: '*', handle: handle('Not found'), Component: NotFoundScreen },
];

/** All routes of the page. */
export const router = createBrowserRouter([
  {
    ErrorBoundary: RouteFailure,
    HydrateFallback: FirstPaint,
    children: [
      { index: true, loader: () => redirect(isSignedIn() ? '/console' : '/login') },
      { path: 'login', handle: handle('Sign in'), loader: requireVisitor, Component: LoginScreen },
      {
        path: 'register',
        handle: handle('Create your account'),
        loader: requireVisitor,
        Component: RegisterScreen,
      },
      {
        // Also for somebody who is signed in: the invitation may be for another account of theirs.
        path: 'welcome',
        handle: handle('Welcome to Winnow'),
        lazy: async () => ({ Component: (await import('../site/welcome/screen.tsx')).WelcomeScreen }),
      },
      {
        path: 'console',
        loader: requireSession,
        lazy: async () => ({ Component: (await import('./shell/shell.tsx')).ConsoleShell }),
        children: [{ ErrorBoundary: RouteFailure, children: consoleRoutes }],
      },
    ],
  },
]);
