import { z } from 'zod';
import { adfDocument, adfToMarkdown, markdownToAdf, mergeIntoAdf } from './text/adf.ts';
import { markdownToWiki, mergeIntoWiki, wikiToMarkdown } from './text/wiki.ts';

/** A user as returned by Jira. */
export const wireUser = z.object({
  accountId: z.string().nullish(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  timeZone: z.string().nullish(),
});
export type WireUser = z.infer<typeof wireUser>;

/**
 * Differences between Cloud and Data Center in text formats and user ids. Differences in paths are
 * handled elsewhere.
 */
export interface Dialect {
  /** Converts the value of a text field to Markdown. */
  readText(value: unknown): string;
  /** Converts Markdown to the value of a text field. */
  writeText(markdown: string): unknown;
  /**
   * Applies edited Markdown to the value of a text field. Parts that the edit does not touch stay
   * unchanged.
   */
  mergeText(original: unknown, markdown: string): unknown;
  /** Returns the user's id for API calls. */
  idOf(user: WireUser): string | null;
  /**
   * Returns the name that `assignees` contains: the username on Data Center, the display name on
   * Cloud. Cloud users never see account ids, but display names may be equal; `people.ts` handles
   * that.
   */
  loginOf(user: WireUser): string;
  /** Returns the value of a user field for a write. */
  userField(id: string | null): Record<string, string | null>;
}

export const cloudDialect: Dialect = {
  readText(value) {
    if (typeof value === 'string') return wikiToMarkdown(value);
    const parsed = adfDocument.safeParse(value);
    return parsed.success ? adfToMarkdown(parsed.data) : '';
  },
  writeText: markdownToAdf,
  mergeText(original, markdown) {
    const parsed = adfDocument.safeParse(original);
    return mergeIntoAdf(parsed.success ? parsed.data : null, markdown);
  },
  idOf: ({ accountId }) => accountId ?? null,
  loginOf: ({ displayName, accountId }) => displayName || (accountId ?? ''),
  userField: (accountId) => ({ accountId }),
};

export const dataCenterDialect: Dialect = {
  readText: (value) => (typeof value === 'string' ? wikiToMarkdown(value) : ''),
  writeText: markdownToWiki,
  mergeText: (original, markdown) => mergeIntoWiki(typeof original === 'string' ? original : '', markdown),
  idOf: ({ name }) => name ?? null,
  loginOf: ({ name, displayName }) => name || (displayName ?? ''),
  userField: (name) => ({ name }),
};
