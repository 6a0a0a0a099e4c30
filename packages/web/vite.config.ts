import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** Address of the server during `npm run dev`. */
const SERVER = 'http://127.0.0.1:3000';

/** Serves the console or the public site during `npm run dev`, depending on the path. */
const pages: Plugin = {
  name: 'winnow-pages',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      if (request.headers.accept?.includes('text/html')) {
        request.url = /^\/console(?:\/|$|\?)/.test(request.url ?? '') ? '/console.html' : '/site.html';
      }
      next();
    });
  },
};

const OWN_SOURCES = /\/packages\/(?:web|contract)\//;
const SITE_SOURCES = '/packages/web/src/site/';
const LISTS = '/packages/web/src/ui/data-list/';
const PASSWORD_STRENGTH =
  /\/packages\/passwords\/src\/(strength|look-alikes)|node_modules\/(@zxcvbn-ts|fastest-levenshtein|confusables)\//;
/**
 * Mantine and the router, without number fields and text areas: these are 14 kB (gzip), and the
 * first screen does not need them.
 */
const SHARED_CONTROLS =
  /node_modules\/(@mantine\/(?!core\/esm\/components\/(NumberInput|Textarea)\/)|react-router\/)/;
/** Minimum number of screens that share a module before it moves to a common chunk. */
const MIN_SHARING_SCREENS = 4;

/**
 * Puts modules used by the public site into separate chunks, so that its pages do not load the
 * console.
 */
function publicPieces(): (id: string, graph: Rolldown.ChunkingContext) => string | null {
  const known = new Map<string, boolean>();
  const isOfSite = (id: string, graph: Rolldown.ChunkingContext): boolean => {
    const above = new Set([id]);
    for (const module of above) {
      if (module.includes(SITE_SOURCES) || known.get(module)) return true;
      const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(module) ?? {};
      for (const importer of [...importers, ...dynamicImporters]) {
        if (OWN_SOURCES.test(importer) && known.get(importer) !== false) above.add(importer);
      }
    }
    for (const module of above) known.set(module, false);
    return false;
  };
  return (id, graph) => {
    if (id.includes(SITE_SOURCES)) return null;
    const found = isOfSite(id, graph);
    known.set(id, found);
    return found ? 'public' : null;
  };
}

export default defineConfig({
  appType: 'mpa',
  plugins: [react(), pages],
  resolve: {
    alias: [
      { find: /^zod$/, replacement: fileURLToPath(new URL('src/zod-without-eval.ts', import.meta.url)) },
    ],
  },
  server: {
    proxy: {
      '/api': { target: SERVER, ws: true },
      '/logout': SERVER,
      '/healthz': SERVER,
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // Keep every script in a file: the policy is `script-src 'self'`.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: ['console.html', 'site.html'],
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // Chunks of dependencies stay in the browser's cache across our releases.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 4 },
            { name: 'zod', test: /node_modules\/zod\/|zod-without-eval/, priority: 4 },
            { name: 'query', test: /node_modules\/@tanstack\/(react-query|query-core)\//, priority: 4 },
            // Each file costs a request, so bundle small or widely shared modules.
            // Logos of trackers and tools also appear on public pages, which load no console code.
            { name: 'brands', test: /node_modules\/simple-icons\//, priority: 4 },
            { name: 'icons', test: /node_modules\/@tabler\//, minShareCount: 2, priority: 4 },
            // Loaded when a password is typed: 755 kB (brotli), needed by no page at start.
            { name: 'password-strength', test: PASSWORD_STRENGTH, priority: 4 },
            { name: publicPieces(), debugName: 'public', test: OWN_SOURCES, entriesAware: true, priority: 3 },
            {
              name: 'controls',
              test: SHARED_CONTROLS,
              minShareCount: MIN_SHARING_SCREENS,
              priority: 2,
            },
            {
              name: 'common',
              test: (id) => OWN_SOURCES.test(id) && !id.includes(SITE_SOURCES) && !id.includes(LISTS),
              minShareCount: MIN_SHARING_SCREENS,
              priority: 1,
            },
            // The first screen has no list.
            { name: 'lists', test: (id) => id.includes(LISTS), minShareCount: 2, priority: 0 },
          ],
        },
      },
    },
  },
});
