import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` expects the server. */
const SERVER = 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
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
      output: {
        // What changes only when a dependency does stays in the browser's cache over our own releases.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
            { name: 'data', test: /node_modules\/(zod|@tanstack)\// },
          ],
        },
      },
    },
  },
});
