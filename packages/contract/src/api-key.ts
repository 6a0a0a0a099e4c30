import { z } from 'zod';
import { id, instant, memberOf } from './primitives.ts';
import { STEERING } from './steering.ts';

/** What a key may be used for. None of them implies another. */
export const SCOPES = {
  read: {
    label: 'Read',
    description: 'Search and read issues, pairs, scores, dependencies and changes.',
  },
  propose: {
    label: 'Propose',
    description:
      'Propose changes. Nothing is written until somebody approves them. With Write, agents write at once.',
  },
  write: {
    label: 'Write',
    description: 'Write to your trackers at once, approve, undo and dismiss, and edit prompts.',
  },
} as const satisfies Record<string, { label: string; description: string }>;
export const scope = memberOf(SCOPES);
export type Scope = z.infer<typeof scope>;

/** How every key begins. */
export const API_KEY_PREFIX = 'wnw_';
/** How many keys an account may have. */
export const MOST_API_KEYS = 100;
/** After how many days a key may end; null: never. */
export const EXPIRY_DAYS = [null, 7, 30, 90] as const;

/** A key as it is listed. */
export const apiKey = z.object({
  id,
  name: z.string(),
  /** The first characters of the key, to tell it from others. */
  prefix: z.string(),
  scopes: z.array(scope),
  created_at: instant,
  expires_at: instant.nullable(),
  /** May be five minutes late where Winnow runs as several processes. */
  last_used_at: instant.nullable(),
  /** Requests made with it, as far back as API usage is kept. */
  requests: z.int(),
});
export type ApiKey = z.infer<typeof apiKey>;
export const apiKeyList = z.array(apiKey);

export const apiKeyCreate = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(100, 'A name has at most 100 characters.')
    .refine((name) => name.search(STEERING) === -1, {
      message: 'A name is one line without hidden characters. Type it instead of pasting it.',
      abort: true,
    })
    .regex(/^$|[\p{L}\p{N}\p{P}\p{S}]/u, 'Enter a name that can be seen.'),
  /** An instant, or a day, which means its first moment in UTC. */
  expires_at: z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'Enter a date such as 2030-01-31, or null for never.',
    })
    .transform((text) => new Date(text).toISOString())
    .pipe(instant)
    .nullable()
    .default(null),
  scopes: z
    .array(scope)
    .min(1, 'Choose at least one scope.')
    .transform((chosen) => scope.options.filter((option) => chosen.includes(option)))
    .default([...scope.options]),
});
export type ApiKeyCreate = z.infer<typeof apiKeyCreate>;

/** A new key. This is the one time that `key` is answered. */
export const createdApiKey = apiKey.extend({ key: z.string() });
export type CreatedApiKey = z.infer<typeof createdApiKey>;
