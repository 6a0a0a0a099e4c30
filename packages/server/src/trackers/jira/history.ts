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

/** A link that was made so long before the closing belongs to it: the one follows the other at once. */
const BEFORE_CLOSING_MS = 10 * 60_000;

/** What an issue's history tells about how it was closed. */
export interface Closing {
  /** Id of the status before the last change of it; null when that is not told. */
  before: string | null;
  /** Keys that were linked by `me` when it was closed, or since. */
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
    if (to && isOurs && closed !== undefined && atMs >= closed.atMs - BEFORE_CLOSING_MS) linkedKeys.add(to);
    else if (from) linkedKeys.delete(from);
  }
  return { before: closed?.from ?? null, linkedKeys };
}
