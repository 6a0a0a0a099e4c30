import { tokenize } from '../tokenize.ts';
import { createYield } from './event-loop-yield.ts';

/** A theme of a map, with its number of titles and its name. */
export interface NamedTheme {
  theme: number;
  size: number;
  /**
   * Up to three distinctive words, separated by commas. Null if the titles have no distinctive word
   * in common.
   */
  name: string | null;
}

/** Maximum number of words in a name. */
const MAX_NAME_WORDS = 3;
/** Minimum share of the theme's titles that contain a word of its name. */
const MIN_TITLE_SHARE = 0.25;
/**
 * Minimum ratio of two shares for a word of a name: its share of the theme's titles to its share of
 * all titles.
 */
const MIN_LIFT = 2;
const HAS_LETTER = /\p{L}/u;
/** Function words of English, which are never part of a theme's name. */
export const FUNCTION_WORDS = new Set(
  'a an and are as at be but by can for from has have if in into is it its no not of on or so than that the then this to was when while will with without'.split(
    ' ',
  ),
);

interface Counted {
  titles: number;
  /** Number of occurrences of each spelling. */
  forms: Map<string, number>;
}

/**
 * Names the themes, largest first. A name consists of words that occur often in the titles of the
 * theme and rarely in other titles (class-based TF-IDF, Grootendorst 2022). Each word has its most
 * frequent spelling. Yields to other work.
 */
export async function nameThemes(titled: readonly { theme: number; title: string }[]): Promise<NamedTheme[]> {
  const yieldIfDue = createYield();
  const everywhere = new Map<string, number>();
  const themes = new Map<number, { size: number; words: Map<string, Counted> }>();
  for (const { theme, title } of titled) {
    const named = themes.get(theme) ?? { size: 0, words: new Map<string, Counted>() };
    themes.set(theme, named);
    named.size += 1;
    for (const [term, form] of spellingByTerm(title)) {
      everywhere.set(term, (everywhere.get(term) ?? 0) + 1);
      const counted = named.words.get(term) ?? { titles: 0, forms: new Map<string, number>() };
      named.words.set(term, counted);
      counted.titles += 1;
      counted.forms.set(form, (counted.forms.get(form) ?? 0) + 1);
    }
    await yieldIfDue();
  }
  return [...themes]
    .map(([theme, { size, words }]) => {
      const distinctive = [...words].flatMap(([term, { titles, forms }]) => {
        const share = titles / size;
        const lift = share / ((everywhere.get(term) ?? titles) / titled.length);
        if (titles < 2 || share < MIN_TITLE_SHARE || lift < MIN_LIFT) return [];
        return [{ form: mostFrequent(forms), weight: share * Math.log(lift) }];
      });
      distinctive.sort((one, other) => other.weight - one.weight || (one.form < other.form ? -1 : 1));
      const name = distinctive.slice(0, MAX_NAME_WORDS).map(({ form }) => form);
      return { theme, size, name: name.length === 0 ? null : name.join(', ') };
    })
    .sort((one, other) => other.size - one.size || one.theme - other.theme);
}

/** Returns the words of a title by their terms, each in its spelling in lower case. */
function spellingByTerm(title: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const { start, end, terms } of tokenize(title)) {
    const [term] = terms;
    const form = title.slice(start, end).toLowerCase();
    if (term === undefined || term.length < 2 || !HAS_LETTER.test(form) || FUNCTION_WORDS.has(form)) continue;
    words.set(term, form);
  }
  return words;
}

function mostFrequent(forms: ReadonlyMap<string, number>): string {
  const sorted = [...forms].sort(
    ([one, often], [other, asOften]) => asOften - often || (one < other ? -1 : 1),
  );
  return sorted[0]?.[0] ?? '';
}
