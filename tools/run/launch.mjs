import { fileURLToPath } from 'node:url';

/**
 * How the server is launched so that it stays small and starts soon. V8 would take 16 MB for each half of each thread's
 * young heap, and glibc an arena for each thread, and neither gives them back: with ten thousand issues that is the half of
 * its memory. What Node has compiled is kept, so that the next start need not do it again.
 */
export const launch = {
  flags: ['--max-semi-space-size=4'],
  env: {
    MALLOC_ARENA_MAX: '1',
    MALLOC_TRIM_THRESHOLD_: '65536',
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../../.cache/compiled', import.meta.url)),
  },
};
