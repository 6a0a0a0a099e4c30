import { z } from 'zod';
import { givenName, id, instant, memberOf } from './primitives.ts';

/** Scopes of a key. No scope includes another. */
export const SCOPES = {
  read: {
    label: 'Read',
    description: 'Search and read issues, pairs, scores, dependencies and changes.',
  },
  propose: {
    label: 'Propose',
    description:
      'Propose changes. Nothing is written until someone approves them. With Write, agents write immediately.',
  },
  write: {
    label: 'Write',
    description: 'Write to your trackers directly; approve, undo, dismiss and edit prompts.',
  },
} as const satisfies Record<string, { label: string; description: string }>;
export const scope = memberOf(SCOPES);
export type Scope = z.infer<typeof scope>;

/** Prefix of every API key. */
export const API_KEY_PREFIX = 'wnw_';
/** Maximum keys per account. */
export const MAX_API_KEYS = 100;
/** Selectable lifetimes in days; null for no expiry. */
export const EXPIRY_DAYS = [null, 7, 30, 90] as const;

/** An API key, as returned by the list of keys. */
export const apiKey = z.object({
  id,
  name: z.string(),
  /** First characters of the key, by which users recognize it. */
  prefix: z.string(),
  scopes: z.array(scope),
  created_at: instant,
  expires_at: instant.nullable(),
  /**
   * Time of the last use. Can be up to five minutes out of date if Winnow runs as several
   * processes.
   */
  last_used_at: instant.nullable(),
  /** Number of requests made with the key within the period for which usage is stored. */
  requests: z.int(),
});
export type ApiKey = z.infer<typeof apiKey>;
export const apiKeyList = z.array(apiKey);

export const apiKeyCreate = z.object({
  name: givenName(100),
  /** A time or a date. A date stands for the start of that day in UTC. */
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

/** A new key. Only this response contains `key`. */
export const createdApiKey = apiKey.extend({ key: z.string() });
export type CreatedApiKey = z.infer<typeof createdApiKey>;
