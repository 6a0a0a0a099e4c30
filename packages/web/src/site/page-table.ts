import type { ComponentType } from 'react';
import { BRAND } from './brand.ts';

/** A public page: where its code is, and what its tab, search engines and shared links say. */
export interface SitePage {
  /** Below `pages/`; its `page.tsx` exports the component `Page`. */
  folder: string;
  title: string;
  description: string;
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
    description:
      'Winnow reads the backlog you already have, finds the issues that are the same, shows why, and closes what you decide: with a preview before, and Undo after.',
  },
  '/features/duplicates': {
    folder: 'features-duplicates',
    title: 'Eliminate Duplicates & Overlap',
    description:
      'How Winnow finds issues that report the same thing, what its numbers mean, and what closing one writes.',
  },
  '/features/compliance': {
    folder: 'features-compliance',
    title: 'Achieve Compliance for Every Issue',
    description:
      'Each issue scored against your Definition of Ready, with the reason and a better title and description.',
  },
  '/features/dependencies': {
    folder: 'features-dependencies',
    title: 'Discover Unmapped Dependencies',
    description:
      'Issues that block each other and do not say so, with a reason and a confidence for each pair.',
  },
  '/pricing': {
    folder: 'pricing',
    title: 'Pricing',
    description: 'What Winnow costs by month or year, and what each plan allows.',
  },
  '/whatis-mcp': {
    folder: 'whatis-mcp',
    title: 'What is MCP?',
    description:
      'The Model Context Protocol, what Winnow does as an MCP server for issue trackers, and how to start.',
  },
  '/docs': {
    folder: 'docs',
    title: 'Documentation',
    description:
      'Getting started with Winnow, connecting GitHub, reading the scores, reviewing, undoing, and the API.',
  },
  '/terms': {
    folder: 'terms',
    title: 'Terms of Service',
    description: 'The terms under which this installation of Winnow may be used.',
  },
  '/privacy': {
    folder: 'privacy',
    title: 'Privacy Policy',
    description: 'What Winnow keeps, for how long, in your browser and on the server, and whom it calls.',
  },
  '/login': {
    folder: 'login',
    title: 'Sign in',
    description: 'Sign in to Winnow with your username or e-mail address.',
  },
  '/register': {
    folder: 'register',
    title: 'Create your account',
    description: 'Create a Winnow account, then connect a tracker or explore with sample data.',
  },
  '/forgot-password': {
    folder: 'forgot-password',
    title: 'Forgot your password?',
    description: 'Get a link to choose a new password for your Winnow account.',
  },
  '/reset-password': {
    folder: 'reset-password',
    title: 'Choose a new password',
    description: 'Choose a new password for your Winnow account.',
    isPrivate: true,
  },
  '/verify-email': {
    folder: 'verify-email',
    title: 'Email verification',
    description: 'Confirms the e-mail address of a Winnow account.',
    isPrivate: true,
  },
  '/welcome': {
    folder: 'welcome',
    title: 'Welcome',
    description: 'Set the password of the Winnow account you were invited to.',
    isPrivate: true,
  },
  '/request-demo': {
    folder: 'request-demo',
    title: 'Request Demo',
    description: 'Ask to be shown Winnow with a backlog like yours.',
  },
  [NOT_FOUND]: {
    folder: 'not-found',
    title: 'Not found',
    description: 'There is no page at this address.',
    isPrivate: true,
  },
};

const loaders = import.meta.glob<ComponentType>('./pages/*/page.tsx', { import: 'Page' });

/** The page at an address, written with or without a slash at its end; undefined when there is none. */
export function pageAt(pathname: string): SitePage | undefined {
  return SITE_PAGES[pathname === '/' ? pathname : pathname.replace(/\/+$/, '')];
}

/** Loads a page's code. Throws when its folder holds no page, or the code cannot be had. */
export async function loadPage({ folder }: SitePage): Promise<ComponentType> {
  const load = loaders[`./pages/${folder}/page.tsx`];
  if (load === undefined) throw new Error(`There is no src/site/pages/${folder}/page.tsx.`);
  return load();
}

/** A page's title in the browser's tab. */
export function tabTitle(title: string): string {
  return title === BRAND.name ? title : `${title} · ${BRAND.name}`;
}
