import { z } from 'zod';
import { changeStatus } from './change.ts';
import { id } from './primitives.ts';
import { syncProgress, syncState } from './tracker.ts';

/**
 * Events on the live channel of an account. An event contains little data. Clients react to it by
 * fetching the displayed data again.
 */
export const liveEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('sync_progress'),
    tracker_id: id,
    state: syncState,
    progress: syncProgress.nullable(),
  }),
  z.object({ type: z.literal('issues_changed'), tracker_id: id }),
  z.object({
    type: z.literal('pairs_changed'),
    /** State of the analysis. `analyzing` events also report the progress. */
    state: z.enum(['analyzing', 'idle']),
    progress: syncProgress.nullable(),
  }),
  z.object({ type: z.literal('compliance_changed') }),
  /** A language model started to fail, was paused, reached a cap, or works again. */
  z.object({ type: z.literal('ai_models_changed') }),
  z.object({ type: z.literal('dependencies_changed') }),
  z.object({ type: z.literal('change_updated'), change_id: id, status: changeStatus }),
  z.object({ type: z.literal('execution_updated'), execution_id: id }),
  z.object({ type: z.literal('usage_updated') }),
  /** Members, roles, invitations or settings of the workspace have changed. */
  z.object({ type: z.literal('members_changed') }),
  /** The account's subscription has changed. */
  z.object({ type: z.literal('subscription_updated') }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/** Messages from the client. */
export const clientMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('authenticate'),
    token: z.string().max(4000),
    /** Workspace whose events are sent. Without it, those of the user's own. */
    workspace: id.optional(),
  }),
  z.object({
    type: z.literal('click'),
    target: z.object({
      id: z.string().max(100).optional(),
      tagName: z.string().max(30).optional(),
      /** Label of a button or link. It never contains text that a user entered. */
      text: z.string().max(100).optional(),
    }),
    path: z.string().max(300),
  }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;
