import { config } from 'zod/v4';

/**
 * What `zod` means in the built web (vite.config.ts): the same, but for its trying whether code can be made from text.
 * The pages' policy forbids that, and browsers report the mere attempt as a violation.
 */
export * from 'zod/v4';

config({ jitless: true });
