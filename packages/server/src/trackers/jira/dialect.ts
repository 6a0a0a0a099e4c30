import { z } from 'zod';
import { adfDocument, adfToMarkdown, markdownToAdf, mergeIntoAdf } from './text/adf.ts';
import { markdownToWiki, mergeIntoWiki, wikiToMarkdown } from './text/wiki.ts';

/** A person as Jira names one. */
export const wireUser = z.object({
  accountId: z.string().nullish(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  timeZone: z.string().nullish(),
});
export type WireUser = z.infer<typeof wireUser>;

/** In what Cloud and Data Center differ beyond their paths: how texts are marked up, and what identifies a person. */
export interface Dialect {
  /** What stands in a text field as markdown. */
  readText(value: unknown): string;
  /** The text field that says what the markdown does. */
  writeText(markdown: string): unknown;
  /** The text field with the edited markdown in it, and all else as it was. */
  mergeText(original: unknown, markdown: string): unknown;
  /** What identifies a person to the API. */
  idOf(user: WireUser): string | null;
  /**
   * What stands for a person in `assignees`. Data Center has user names. Cloud shows account ids to nobody, so there it is
   * the name; two people of one name are told apart when one of them is to be assigned (see `people.ts`).
   */
  loginOf(user: WireUser): string;
  /** A person as a field to write. */
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
