import { z } from 'zod';
import { type WireUser, wireUser } from './dialect.ts';
import { time } from './map.ts';

export const wireHistory = z.object({
  changelog: z
    .object({
      histories: z.array(
        z.object({
          author: wireUser.nullish(),
          created: time,
          items: z.array(
            z.object({
              field: z.string(),
              from: z.string().nullish(),
              to: z.string().nullish(),
            }),
          ),
        }),
      ),
    })
    .nullish(),
});
export type WireHistory = z.infer<typeof wireHistory>;

/** Maximum time by which a link may precede the closing that it belongs to, in ms. */
const MAX_LINK_LEAD_MS = 10 * 60_000;

/** How an issue was closed, according to its history. */
export interface Closing {
  /** Id of the status before the last status change, or null if unknown. */
  before: string | null;
  /**
   * Keys linked by a user for whom `isMe` is true, up to 10 minutes before the closing or later.
   * Links that were removed again are omitted.
   */
  linkedKeys: Set<string>;
}

export function closingOf(history: WireHistory, isMe: (user: WireUser) => boolean): Closing {
  const changes = (history.changelog?.histories ?? [])
    .flatMap(({ author, created, items }) =>
      items.map((item) => ({ ...item, author, atMs: created.getTime() })),
    )
    .toSorted((left, right) => left.atMs - right.atMs);
  const closed = changes.findLast(({ field }) => field === 'status');
  const linkedKeys = new Set<string>();
  for (const { field, from, to, author, atMs } of changes) {
    if (field !== 'Link') continue;
    const isOurs = author !== null && author !== undefined && isMe(author);
    if (to && isOurs && closed !== undefined && atMs >= closed.atMs - MAX_LINK_LEAD_MS) linkedKeys.add(to);
    else if (from) linkedKeys.delete(from);
  }
  return { before: closed?.from ?? null, linkedKeys };
}
