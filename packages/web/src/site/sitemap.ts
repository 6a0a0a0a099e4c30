/** The data of a page that the sitemap needs. */
export interface MappedPage {
  path: string;
  /** Private pages are not listed. */
  isPrivate: boolean;
}

/**
 * Returns the `sitemap.xml` for a site at `origin` (`https://winnow.example`), without private
 * pages.
 */
export function sitemapOf(pages: readonly MappedPage[], origin: string): string {
  const addresses = pages
    .filter(({ isPrivate }) => !isPrivate)
    .map(({ path }) => new URL(path, origin).href)
    .sort();
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...addresses.map((address) => `  <url><loc>${address.replaceAll('&', '&amp;')}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n');
}
