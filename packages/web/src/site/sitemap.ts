/** A page as the sitemap needs to know it. */
export interface MappedPage {
  path: string;
  /** Search engines are asked to leave it out, so it is not listed. */
  isPrivate: boolean;
}

/** `sitemap.xml` of a site at `origin` (`https://winnow.example`): every page that may be found, by its path. */
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
