/** The data of a page that the sitemap needs. */
export interface MappedPage {
  path: string;
  /** True for a private page, which the sitemap omits. */
  isPrivate: boolean;
}

/** Returns the `sitemap.xml` of a site. `origin` is its URL, such as `https://winnow.example`. */
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
