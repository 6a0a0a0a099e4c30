import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` expects the server. */
const SERVER = 'http://127.0.0.1:3000';

/** In `npm run dev`: which of the two applications draws a page. */
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
    // Every script is a file of its own: the policy is `script-src 'self'`.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      input: ['console.html', 'site.html'],
      output: {
        // What changes only when a dependency does stays in the browser's cache over our own releases.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'zod', test: /node_modules\/zod\/|zod-without-eval/ },
            { name: 'query', test: /node_modules\/@tanstack\// },
          ],
        },
      },
    },
  },
});
