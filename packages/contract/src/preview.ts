import { z } from 'zod';
import { resolutionPayload } from './change.ts';
import { clusterResolution } from './cluster.ts';
import { complianceUpdate } from './compliance.ts';
import { commitRequest } from './dependency.ts';
import { id } from './primitives.ts';

/** Describes a call that writes, to preview its changes. */
export const previewRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('resolution'), payload: resolutionPayload }),
  z.object({ kind: z.literal('cluster'), payload: clusterResolution.extend({ cluster_id: id }) }),
  z.object({ kind: z.literal('compliance'), payload: complianceUpdate.extend({ issue_id: id }) }),
  z.object({ kind: z.literal('dependency'), payload: commitRequest }),
]);
export type PreviewRequest = z.infer<typeof previewRequest>;
