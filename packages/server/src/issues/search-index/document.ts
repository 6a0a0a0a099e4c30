import { languagesIn, wordsIn } from './terms.ts';

/**
 * Number of words at the beginning of the body that are used for ranking, together with the title.
 */
const OPENING_WORDS = 40;
/** Maximum total length of the indexed terms of an item. PostgreSQL limits a `tsvector` to 1 MB. */
const MAX_TERM_CHARS = 200_000;
/** Largest word position that PostgreSQL stores. */
const MAX_POSITION = 16_383;
/** Maximum word positions that PostgreSQL stores per term. */
const MAX_POSITIONS_PER_TERM = 255;
/** Distance in positions between the title and the body, so that no phrase matches across both. */
const POSITION_GAP = 10;

/** An item as the word index stores it: two `tsvector`s. */
export interface SearchDocument {
  /** Terms of the title (weight A) and of the beginning of the body (weight D). */
  lead: string;
  /** All terms with their positions. Each term begins with the prefix of the account. */
  words: string;
}

/**
 * Returns the prefixes that an account's terms get in the word index, which all accounts share. So
 * the list of items that the index stores for a term contains items of one account only, or of few
 * accounts with similar ids.
 */
export function termsOf(accountId: string): {
  anywhere: string;
  inTitle: string;
  project: (id: string) => string;
} {
  const tag = Buffer.from(accountId.slice(0, 6), 'hex').toString('base64url');
  return { anywhere: `${tag}:`, inTitle: `${tag}^`, project: (id) => `${tag}@${id}` };
}

/** Converts a text to the form that the word index stores. */
export function searchDocument(item: {
  accountId: string;
  projectId: string;
  title: string;
  body: string;
}): SearchDocument {
  const own = termsOf(item.accountId);
  const words = new Terms();
  const lead = new Terms();
  const languagesOf = languagesIn(item);
  words.add(own.project(item.projectId), null);
  let place = 0;
  for (const { terms, written, stems } of wordsIn(item.title, languagesOf)) {
    if (words.isFull) break;
    place += 1;
    for (const term of new Set([...terms, written, ...stems])) {
      words.add(own.anywhere + term, place);
      words.add(own.inTitle + term, null);
      lead.add(term, place, 'A');
    }
  }
  const opening = place + POSITION_GAP + OPENING_WORDS;
  place += POSITION_GAP;
  for (const { terms, written, stems } of wordsIn(item.body, languagesOf)) {
    if (words.isFull) break;
    place += 1;
    for (const term of new Set([...terms, written, ...stems])) {
      words.add(own.anywhere + term, place);
      if (place <= opening) lead.add(term, place);
    }
  }
  return { lead: lead.toVector(), words: words.toVector() };
}

/** Quotes a term for use in a `tsquery` or `tsvector`. */
export function quoted(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

class Terms {
  readonly #places = new Map<string, string[]>();
  #characters = 0;

  get isFull(): boolean {
    return this.#characters >= MAX_TERM_CHARS;
  }

  add(term: string, place: number | null, weight = ''): void {
    let places = this.#places.get(term);
    if (places === undefined) {
      places = [];
      this.#places.set(term, places);
      this.#characters += term.length;
    }
    if (place !== null && place <= MAX_POSITION && places.length < MAX_POSITIONS_PER_TERM)
      places.push(`${place}${weight}`);
  }

  toVector(): string {
    const parts: string[] = [];
    for (const [term, places] of this.#places) {
      parts.push(places.length === 0 ? quoted(term) : `${quoted(term)}:${places.join(',')}`);
    }
    return parts.join(' ');
  }
}
