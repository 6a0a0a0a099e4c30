// node packages/web/build.ts FOLDER: builds the console and the public site into the folder, each public page as HTML.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build, type Manifest } from 'vite';
import type { RenderedSite } from './src/site/prerender.tsx';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
/** Within the checkout, so that what was rendered from finds its packages. */
const SCRATCH = join(ROOT, '..', '..', '.cache', `prerender-${process.pid}`);

/** What the build says of its own files; taken away again. */
const MANIFEST = '.vite/manifest.json';

/** The page for addresses that lead nowhere, which is no folder of the site. */
const NOT_FOUND = '/404';

const LIGHT_WITHOUT_SCRIPTS = '<noscript><link rel="stylesheet" href="/no-script.css"></noscript>';

/** Files that shrink. Below this size, the file fits into what a server sends first anyway. */
const TEXT = /\.(?:css|js|json|md|svg)$/;
const WORTH_COMPRESSING_BYTES = 1_400;

/** How the bundler refers to the styles of every page. */
const STYLE_LINK = / *<link rel="stylesheet"[^>]*>\n/g;

const THEME_SCRIPT = '<script src="/theme.js"></script>';

/** Where a page's HTML is in the build; the server finds it by its path. */
function fileOf(path: string): string {
  return path === NOT_FOUND ? '404.html' : join(path.slice(1), 'index.html');
}

/** A page's scripts, asked for with the page, and the files of its styles, in the order in which they apply. */
function assetsOf(source: string, manifest: Manifest): { styles: string[]; scripts: string[] } {
  const shared = chunksOf('site.html', manifest);
  const own = [...chunksOf(source, manifest)].filter((chunk) => !shared.has(chunk));
  const styles = new Set([...shared, ...own].flatMap((key) => manifest[key]?.css ?? []));
  return {
    styles: [...styles],
    scripts: own.map((key) => `<link rel="modulepreload" crossorigin href="/${manifest[key]?.file}">`),
  };
}

/** The styles of a page, in the page: a file of its own for each would have to come before anything is drawn. */
async function inlineStyles(files: readonly string[], folder: string): Promise<string> {
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const names = files.map((file) => `/${file}`).join(' ');
  return `<style data-files="${names}">${texts.join('')}</style>`;
}

/** The typeface of every page, asked for with the page itself: text that changes its face moves what is below it. */
function fontOf(manifest: Manifest): string {
  const fonts = Object.values(manifest).map(({ file }) => file);
  const font = fonts.find((file) => /\/inter-latin-wght-normal-[^/]*\.woff2$/.test(file));
  if (font === undefined) throw new Error('The build has no Inter for Latin text.');
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`;
}

/** A chunk and everything it imports at once. */
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
    // The server lets this one script run where it stands, by its hash: asked for as a file, it would delay the page.
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

/** Puts each text file's `.br` and `.gz` beside it, so that the server need not make them for each who asks. */
async function compress(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const compressOne = async (name: string) => {
    const file = join(folder, name);
    const text = await readFile(file);
    if (text.length < WORTH_COMPRESSING_BYTES) return;
    const [brotli, gzipped] = await Promise.all([promisify(brotliCompress)(text), promisify(gzip)(text)]);
    await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
  };
  await Promise.all(names.filter((name) => TEXT.test(name)).map(compressOne));
}

/** Pages are dark until a script says otherwise; without scripts they follow the system by this. */
async function lightScheme(): Promise<string> {
  const tokens = await readFile(join(ROOT, 'src', 'theme', 'tokens.css'), 'utf8');
  const light = /\n\.light (\{[^}]*\})/.exec(tokens)?.[1];
  if (light === undefined) throw new Error('tokens.css has no block for the light scheme.');
  return `@media (prefers-color-scheme: light) {\n:root.dark ${light}\n}\n`;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder to build into.');
await buildWeb(resolve(folder));
