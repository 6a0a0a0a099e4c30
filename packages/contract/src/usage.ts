import { z } from 'zod';

/** What is counted per account; plans limit by these. */
export const usageKind = z.enum(['api_requests', 'issues_ingested', 'issues_processed', 'ai_calls']);
export type UsageKind = z.infer<typeof usageKind>;

export const apiUsage = z.object({ total_requests: z.int() });
