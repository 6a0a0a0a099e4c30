import { config } from 'zod/v4';

/**
 * Replaces `zod` in the built web app (vite.config.ts). `jitless` turns off code generation,
 * which the content security policy forbids. Without this setting, zod would check whether code
 * generation works, and browsers report the check as a violation.
 */
export * from 'zod/v4';

config({ jitless: true });
