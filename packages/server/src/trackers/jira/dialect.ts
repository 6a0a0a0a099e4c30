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

/** Differences between Cloud and Data Center besides paths: text formats and user ids. */
export interface Dialect {
  /** Converts a text field to Markdown. */
  readText(value: unknown): string;
  /** Converts Markdown to a text field. */
  writeText(markdown: string): unknown;
  /** Merges edited Markdown into a text field, leaving everything else unchanged. */
  mergeText(original: unknown, markdown: string): unknown;
  /** Returns the user's id for API calls. */
  idOf(user: WireUser): string | null;
  /**
   * Returns the name shown in `assignees`. Data Center has user names. Cloud users never see
   * account ids, so their display name is used; `people.ts` handles duplicates.
   */
  loginOf(user: WireUser): string;
  /** Returns a user field for writing. */
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
