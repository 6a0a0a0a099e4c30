import { BRAND } from './brand.ts';

/**
 * A public page: the folder that contains its code, and its title for the browser tab and link
 * previews.
 */
export interface SitePage {
  /** Folder under `pages/`, whose `page.tsx` exports the component `Page`. */
  folder: string;
  title: string;
  /** True to ask search engines not to index the page. */
  isPrivate?: true;
}

/** Path of the page that is served for unknown addresses. */
export const NOT_FOUND = '/404';

/** All public pages by path. The build renders each of them to HTML. */
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

/** Finds the page at a path, with or without a trailing slash. */
export function pageAt(pathname: string): SitePage | undefined {
  return SITE_PAGES[pathname === '/' ? pathname : pathname.replace(/\/+$/, '')];
}

/** Returns the text of the browser tab for a page title. */
export function tabTitle(title: string): string {
  return title === BRAND.name ? title : `${title} · ${BRAND.name}`;
}
