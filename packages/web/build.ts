// Usage: node packages/web/build.ts FOLDER. Builds the console and prerenders the public site into
// FOLDER.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build, type Manifest } from 'vite';
import type { RenderedSite } from './src/site/prerender.tsx';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
/** Inside the checkout, so that the prerender bundle resolves its packages. */
const SCRATCH = join(ROOT, '..', '..', '.cache', `prerender-${process.pid}`);

/** Manifest of the bundler, deleted after the build. */
const MANIFEST = '.vite/manifest.json';

/** Path of the page for unknown addresses, which has no folder. */
const NOT_FOUND = '/404';

const LIGHT_WITHOUT_SCRIPTS = '<noscript><link rel="stylesheet" href="/no-script.css"></noscript>';

/** Files worth compressing. */
const TEXT = /\.(?:css|js|json|md|svg|txt|xml)$/;

/** Stylesheet links that the bundler adds to every page. */
const STYLE_LINK = / *<link rel="stylesheet"[^>]*>\n/g;

const THEME_SCRIPT = '<script src="/theme.js"></script>';

/** Returns the path of a page's HTML file, by which the server finds it. */
function fileOf(path: string): string {
  return path === NOT_FOUND ? '404.html' : join(path.slice(1), 'index.html');
}

/** Returns the module preloads of a page, and its stylesheets in cascade order. */
function assetsOf(source: string, manifest: Manifest): { styles: string[]; scripts: string[] } {
  const shared = chunksOf('site.html', manifest);
  const own = [...chunksOf(source, manifest)].filter((chunk) => !shared.has(chunk));
  const styles = new Set([...shared, ...own].flatMap((key) => manifest[key]?.css ?? []));
  return {
    styles: [...styles],
    scripts: own.map((key) => `<link rel="modulepreload" crossorigin href="/${manifest[key]?.file}">`),
  };
}

/** Inlines the styles of a page, since separate stylesheets would delay the first paint. */
async function inlineStyles(files: readonly string[], folder: string): Promise<string> {
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const names = files.map((file) => `/${file}`).join(' ');
  return `<style data-files="${names}">${texts.join('')}</style>`;
}

/** Preloads the font of every page, since a late font swap shifts the layout. */
function fontOf(manifest: Manifest): string {
  const fonts = Object.values(manifest).map(({ file }) => file);
  const font = fonts.find((file) => /\/inter-latin-wght-normal-[^/]*\.woff2$/.test(file));
  if (font === undefined) throw new Error('The build has no Inter font for Latin text.');
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`;
}

/** Returns a chunk and all its static imports. */
function chunksOf(key: string, manifest: Manifest, found = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`The build has no ${key}.`);
  if (found.has(key)) return found;
  found.add(key);
  for (const imported of chunk.imports ?? []) chunksOf(imported, manifest, found);
  return found;
}

async function renderSite(): Promise<RenderedSite> {
  await build({
    root: ROOT,
    logLevel: 'warn',
    build: {
      ssr: 'src/site/prerender.tsx',
      outDir: SCRATCH,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } },
    },
  });
  const rendered: { renderSite: () => Promise<RenderedSite> } = await import(
    pathToFileURL(join(SCRATCH, 'prerender.mjs')).href
  );
  return rendered.renderSite();
}

async function buildWeb(folder: string): Promise<void> {
  await build({
    root: ROOT,
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true, manifest: MANIFEST },
  });
  const { pages, sitemap } = await renderSite().finally(() => rm(SCRATCH, { recursive: true, force: true }));

  const manifest: Manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
  const theme = await readFile(join(folder, 'theme.js'), 'utf8');
  const template = (await readFile(join(folder, 'site.html'), 'utf8'))
    .replaceAll(STYLE_LINK, '')
    // Inline the theme script, since loading it as a file would delay the page. The server allows
    // it by hash.
    .replace(THEME_SCRIPT, () => `<script>${theme}</script>`);
  await rm(join(folder, 'site.html'));
  await rm(join(folder, dirname(MANIFEST)), { recursive: true });
  for (const page of pages) {
    const file = join(folder, fileOf(page.path));
    await mkdir(dirname(file), { recursive: true });
    const { styles, scripts } = assetsOf(page.source, manifest);
    const head = [
      page.head,
      fontOf(manifest),
      await inlineStyles(styles, folder),
      LIGHT_WITHOUT_SCRIPTS,
      ...scripts,
    ].join('\n    ');
    const html = template.replace('<!--head-->', () => head).replace('<!--page-->', () => page.body);
    await writeFile(file, html);
  }
  await writeFile(join(folder, 'sitemap.xml'), sitemap);
  await writeFile(join(folder, 'no-script.css'), await lightScheme());
  await compress(folder);
}

/**
 * Writes `.br` and `.gz` versions of text files, so that the server does not compress on request.
 * Small files get them too. The server looks for versions first, and missing ones cost it 3
 * processor milliseconds per request.
 */
async function compress(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const compressOne = async (name: string) => {
    const file = join(folder, name);
    const text = await readFile(file);
    const [brotli, gzipped] = await Promise.all([promisify(brotliCompress)(text), promisify(gzip)(text)]);
    await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
  };
  await Promise.all(names.filter((name) => TEXT.test(name)).map(compressOne));
}

/**
 * Returns the stylesheet of the light scheme for browsers without scripts, where pages are dark by
 * default.
 */
async function lightScheme(): Promise<string> {
  const tokens = await readFile(join(ROOT, 'src', 'theme', 'tokens.css'), 'utf8');
  const light = /\n\.light (\{[^}]*\})/.exec(tokens)?.[1];
  if (light === undefined) throw new Error('tokens.css has no block for the light scheme.');
  return `@media (prefers-color-scheme: light) {\n:root.dark ${light}\n}\n`;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node packages/web/build.ts FOLDER');
await buildWeb(resolve(folder));
