import { wordsIn } from './terms.ts';

/** So many words of a text are its opening, which counts when what was found is put in order. */
const OPENING_WORDS = 40;
/** Words are indexed until their terms have this many characters; the database holds a megabyte at most. */
const MOST_CHARACTERS = 200_000;
/** The database keeps no place behind this one. */
const LAST_PLACE = 16_383;
/** Nor more places of one term. */
const MOST_PLACES = 255;
/** Between title and text, so that no phrase reaches from one into the other. */
const GAP = 10;

/** An item as it is indexed, as two `tsvector`s. */
export interface SearchDocument {
  /** The terms of the title, of weight A, and of the opening, of weight D. */
  lead: string;
  /** All terms with their places, each as the account's own. */
  words: string;
}

/**
 * How the terms of an account begin in the index of words, which holds those of all accounts: a list of what has a word then
 * holds items of one account, or of the few whose ids begin alike.
 */
export function termsOf(accountId: string): {
  anywhere: string;
  inTitle: string;
  project: (id: string) => string;
} {
  const tag = Buffer.from(accountId.slice(0, 6), 'hex').toString('base64url');
  return { anywhere: `${tag}:`, inTitle: `${tag}^`, project: (id) => `${tag}@${id}` };
}

/** Indexes a text. */
export function searchDocument(item: {
  accountId: string;
  projectId: string;
  title: string;
  body: string;
}): SearchDocument {
  const own = termsOf(item.accountId);
  const words = new Terms();
  const lead = new Terms();
  words.add(own.project(item.projectId), null);
  let place = 0;
  for (const { terms, written } of wordsIn(item.title)) {
    if (words.isFull) break;
    place += 1;
    for (const term of new Set([...terms, written])) {
      words.add(own.anywhere + term, place);
      words.add(own.inTitle + term, null);
      lead.add(term, place, 'A');
    }
  }
  const opening = place + GAP + OPENING_WORDS;
  place += GAP;
  for (const { terms, written } of wordsIn(item.body)) {
    if (words.isFull) break;
    place += 1;
    for (const term of new Set([...terms, written])) {
      words.add(own.anywhere + term, place);
      if (place <= opening) lead.add(term, place);
    }
  }
  return { lead: lead.toVector(), words: words.toVector() };
}

/** A term in the database's notation. */
export function quoted(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

class Terms {
  readonly #places = new Map<string, string[]>();
  #characters = 0;

  get isFull(): boolean {
    return this.#characters >= MOST_CHARACTERS;
  }

  add(term: string, place: number | null, weight = ''): void {
    let places = this.#places.get(term);
    if (places === undefined) {
      places = [];
      this.#places.set(term, places);
      this.#characters += term.length;
    }
    if (place !== null && place <= LAST_PLACE && places.length < MOST_PLACES)
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
