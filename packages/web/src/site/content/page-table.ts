import { BRAND } from './brand.ts';

/** A public page: where its code is, and what its tab and shared links call it. */
export interface SitePage {
  /** Below `pages/`; its `page.tsx` exports the component `Page`. */
  folder: string;
  title: string;
  /** Search engines are asked to leave it out. */
  isPrivate?: true;
}

/** What is sent for an address that leads nowhere. */
export const NOT_FOUND = '/404';

/** Every public page by its path. Each is rendered to HTML when the web is built. */
export const SITE_PAGES: Readonly<Record<string, SitePage>> = {
  '/': {
    folder: 'landing',
    title: 'Know which issues are the same',
  },
  '/features/duplicates': {
    folder: 'features-duplicates',
    title: 'Eliminate Duplicates & Overlap',
  },
  '/features/compliance': {
    folder: 'features-compliance',
    title: 'Achieve Compliance for Every Issue',
  },
  '/features/dependencies': {
    folder: 'features-dependencies',
    title: 'Discover Unmapped Dependencies',
  },
  '/pricing': {
    folder: 'pricing',
    title: 'Pricing',
  },
  '/whatis-mcp': {
    folder: 'whatis-mcp',
    title: 'What is MCP?',
  },
  '/docs': {
    folder: 'docs',
    title: 'Documentation',
  },
  '/terms': {
    folder: 'terms',
    title: 'Terms of Service',
  },
  '/privacy': {
    folder: 'privacy',
    title: 'Privacy Policy',
  },
  '/login': {
    folder: 'login',
    title: 'Sign in',
  },
  '/register': {
    folder: 'register',
    title: 'Create your account',
  },
  '/forgot-password': {
    folder: 'forgot-password',
    title: 'Forgot your password?',
  },
  '/reset-password': {
    folder: 'reset-password',
    title: 'Choose a new password',
    isPrivate: true,
  },
  '/verify-email': {
    folder: 'verify-email',
    title: 'Email verification',
    isPrivate: true,
  },
  '/welcome': {
    folder: 'welcome',
    title: 'Welcome',
    isPrivate: true,
  },
  '/request-demo': {
    folder: 'request-demo',
    title: 'Request Demo',
  },
  [NOT_FOUND]: {
    folder: 'not-found',
    title: 'Not found',
    isPrivate: true,
  },
};

/** The page at an address, written with or without a slash at its end; undefined when there is none. */
export function pageAt(pathname: string): SitePage | undefined {
  return SITE_PAGES[pathname === '/' ? pathname : pathname.replace(/\/+$/, '')];
}

/** A page's title in the browser's tab. */
export function tabTitle(title: string): string {
  return title === BRAND.name ? title : `${title} · ${BRAND.name}`;
}
