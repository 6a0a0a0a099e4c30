import { config } from 'zod/v4';

/**
 * Replaces `zod` in the built web (vite.config.ts), without its check for dynamic code generation.
 * The pages' policy forbids that, and browsers report the mere attempt as a violation.
 */
export * from 'zod/v4';

config({ jitless: true });
