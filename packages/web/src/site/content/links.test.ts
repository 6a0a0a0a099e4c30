import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { htmlOf } from '../static/markdown.ts';
import { FAQ } from './faq.ts';
import { COMPLIANCE, DEPENDENCIES, DUPLICATES } from './features.ts';
import { NEWS } from './news.ts';
import { pageAt } from './page-table.ts';
import { SLIDES } from './slides.ts';

const CONTENT = new URL('../../../public/content/', import.meta.url);
const files = readdirSync(CONTENT);
const pages = new Map(files.map((name) => [name, htmlOf(readFileSync(new URL(name, CONTENT), 'utf8'))]));

/** Paths that the server handles itself. They are not pages of the public site. */
const SERVER_PATHS = ['/api/docs'];

test.each(files)('every link in %s leads to a heading, a page or the API reference', (name) => {
  const html = pages.get(name) ?? '';
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) {
    const [path = '', hash = ''] = link.split('#');
    const target = path === '' ? html : pages.get(`${path.slice(1)}.md`);
    if (hash !== '') expect(target, link).toContain(`id="${hash}"`);
    if (path !== '' && !SERVER_PATHS.includes(path)) expect(pageAt(path), link).toBeDefined();
  }
});

test('each content file is a page with exactly one first-level heading', () => {
  expect(files.toSorted()).toEqual(['docs.md', 'privacy.md', 'terms.md']);
  for (const [name, html] of pages) {
    expect(pageAt(`/${name.replace('.md', '')}`), name).toBeDefined();
    expect(html.match(/<h1/g), name).toHaveLength(1);
  }
});

test('the slides and the news link to existing pages, and each slide has a feature', () => {
  expect(SLIDES.map(({ title }) => title)).toEqual([
    'Eliminate Duplicates & Overlap',
    'Achieve Compliance for Every Issue',
    'Discover Unmapped Dependencies',
  ]);
  expect([DUPLICATES, COMPLIANCE, DEPENDENCIES].map(({ slide }) => slide)).toEqual(SLIDES);
  for (const { href } of SLIDES) expect(pageAt(href), href).toBeDefined();
  expect(pageAt(NEWS.link)).toBeDefined();
});

test('the FAQ has seven distinct questions', () => {
  expect(new Set(FAQ.map(({ q }) => q)).size).toBe(7);
});
