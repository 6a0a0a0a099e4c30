import { SITE_ORIGIN } from '@winnow/contract/site';
import { renderToString } from 'react-dom/server';
import { BRAND } from './content/brand.ts';
import { DESCRIPTIONS } from './content/page-descriptions.ts';
import { NOT_FOUND, pageAt, SITE_PAGES, type SitePage, tabTitle } from './content/page-table.ts';
import { loadPage } from './load-page.ts';
import { Site } from './site.tsx';
import { sitemapOf } from './sitemap.ts';

/** A page as HTML: what goes into the head of the document, and what goes into its root element. */
export interface RenderedPage {
  path: string;
  /** The file that draws it, from the folder of the web package. */
  source: string;
  head: string;
  body: string;
  isPrivate: boolean;
}

/** The whole site as text. */
export interface RenderedSite {
  pages: RenderedPage[];
  sitemap: string;
}

/** Renders every public page. Throws what a page throws. */
export async function renderSite(): Promise<RenderedSite> {
  const pages = await Promise.all(Object.keys(SITE_PAGES).map(renderPage));
  return { pages, sitemap: sitemapOf(pages, SITE_ORIGIN) };
}

/** What a link to any page is shown with; made by tools/screenshots. */
const PICTURE = {
  path: '/images/ui_01.png',
  width: 1440,
  height: 800,
  text: 'Winnow: a list of similar pairs, and one pair side by side with its shared passages marked.',
} as const;

async function renderPage(path: string): Promise<RenderedPage> {
  const page = pageAt(path);
  if (page === undefined) throw new Error(`There is no page at ${path}.`);
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
  if (description === undefined) throw new Error(`Nothing is said of ${path} in page-descriptions.ts.`);
  const text = escapeHtml(tabTitle(title));
  const said = escapeHtml(description);
  const address = new URL(path, SITE_ORIGIN).href;
  return [
    `<title>${text}</title>`,
    `<meta name="description" content="${said}">`,
    isPrivate
      ? '<meta name="robots" content="noindex">'
      : `<link rel="canonical" href="${address}"><meta property="og:url" content="${address}">`,
    `<meta property="og:site_name" content="${escapeHtml(BRAND.name)}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:title" content="${text}">`,
    `<meta property="og:description" content="${said}">`,
    `<meta property="og:image" content="${new URL(PICTURE.path, SITE_ORIGIN).href}">`,
    `<meta property="og:image:width" content="${PICTURE.width}"><meta property="og:image:height" content="${PICTURE.height}">`,
    `<meta property="og:image:alt" content="${PICTURE.text}">`,
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n    ');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
