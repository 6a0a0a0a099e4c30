import { SITE_ORIGIN } from '@winnow/contract/site';
import { renderToString } from 'react-dom/server';
import { BRAND } from './content/brand.ts';
import { DESCRIPTIONS } from './content/page-descriptions.ts';
import { NOT_FOUND, pageAt, SITE_PAGES, type SitePage, tabTitle } from './content/page-table.ts';
import { loadPage } from './load-page.ts';
import { Site } from './site.tsx';
import { sitemapOf } from './sitemap.ts';

/** A page as HTML: the contents of the `head` element and of the root element. */
export interface RenderedPage {
  path: string;
  /** Source file of the page, relative to the web package. */
  source: string;
  head: string;
  body: string;
  isPrivate: boolean;
}

/** All files of the rendered site. */
export interface RenderedSite {
  pages: RenderedPage[];
  sitemap: string;
}

/** Renders all public pages. If a page throws an error, rendering fails with that error. */
export async function renderSite(): Promise<RenderedSite> {
  const pages = await Promise.all(Object.keys(SITE_PAGES).map(renderPage));
  return { pages, sitemap: sitemapOf(pages, SITE_ORIGIN) };
}

/** Image for link previews of all pages. tools/screenshots creates it. */
const PREVIEW_IMAGE = {
  path: '/images/ui_01.png',
  width: 1440,
  height: 800,
  text: 'Winnow: a list of similar pairs, and one pair side by side with its shared passages marked.',
} as const;

async function renderPage(path: string): Promise<RenderedPage> {
  const page = pageAt(path);
  if (page === undefined) throw new Error(`Page not found: ${path}`);
  const Page = await loadPage(page);
  const isPrivate = page.isPrivate === true || path === NOT_FOUND;
  return {
    path,
    source: `src/site/pages/${page.folder}/page.tsx`,
    isPrivate,
    head: headOf(path, page, isPrivate),
    body: renderToString(<Site first={{ path, Page }} renderedPath={path} />),
  };
}

function headOf(path: string, { title }: SitePage, isPrivate: boolean): string {
  const description = DESCRIPTIONS[path];
  if (description === undefined) throw new Error(`page-descriptions.ts has no description for ${path}.`);
  const text = escapeHtml(tabTitle(title));
  const content = escapeHtml(description);
  const address = new URL(path, SITE_ORIGIN).href;
  return [
    `<title>${text}</title>`,
    `<meta name="description" content="${content}">`,
    isPrivate
      ? '<meta name="robots" content="noindex">'
      : `<link rel="canonical" href="${address}"><meta property="og:url" content="${address}">`,
    `<meta property="og:site_name" content="${escapeHtml(BRAND.name)}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:title" content="${text}">`,
    `<meta property="og:description" content="${content}">`,
    `<meta property="og:image" content="${new URL(PREVIEW_IMAGE.path, SITE_ORIGIN).href}">`,
    `<meta property="og:image:width" content="${PREVIEW_IMAGE.width}"><meta property="og:image:height" content="${PREVIEW_IMAGE.height}">`,
    `<meta property="og:image:alt" content="${PREVIEW_IMAGE.text}">`,
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n    ');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
