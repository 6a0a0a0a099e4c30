import { expect, test } from 'vitest';
import { NOT_FOUND, SITE_PAGES } from './content/page-table.ts';
import { sitemapOf } from './sitemap.ts';

const ORIGIN = 'https://winnow.example';

test('the sitemap lists all pages except private ones', () => {
  const pages = [
    { path: '/welcome', isPrivate: true },
    { path: '/pricing', isPrivate: false },
    { path: '/', isPrivate: false },
  ];
  expect(sitemapOf(pages, ORIGIN)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://winnow.example/</loc></url>
  <url><loc>https://winnow.example/pricing</loc></url>
</urlset>
`);
});

test('special characters are escaped', () => {
  expect(sitemapOf([{ path: '/a?b=1&c=<2>', isPrivate: false }], ORIGIN)).toContain('/a?b=1&amp;c=%3C2%3E<');
});

test('the sitemap of the site lists the landing page and the documentation, but not the 404 page', () => {
  const pages = Object.entries(SITE_PAGES).map(([path, page]) => ({
    path,
    isPrivate: page.isPrivate === true,
  }));
  const map = sitemapOf(pages, ORIGIN);
  expect(map).toContain(`<loc>${ORIGIN}/</loc>`);
  expect(map).toContain(`<loc>${ORIGIN}/docs</loc>`);
  expect(map).not.toContain(NOT_FOUND);
});
