import type { JudgedIssue } from './judge.ts';
import { areSiblingTitles } from './siblings.ts';
import { appendParagraph } from './suggest/append-paragraph.ts';
import { type Distinctions, distinctionsOf } from './suggest/distinctions.ts';
import { type LineSource, mergeTexts } from './suggest/merge-texts.ts';
import { isSaidByTitle, ownWords } from './suggest/own-words.ts';
import { tellingTitle } from './suggest/telling-title.ts';
import { wordSimilarity } from './suggest/word-similarity.ts';

/** An issue that a text is suggested for. */
export interface SuggestedIssue extends JudgedIssue {
  /** How the other issue's text is to name it, so that its tracker makes a link of that. */
  mention: string;
}

/** One text for two issues. */
export interface MergeSuggestion {
  title: string;
  description: string;
  /** Where each line of the description came from. */
  sources: LineSource[];
  explanation: string;
}

/** Texts by which two issues are told apart. */
export interface DeconflictSuggestion {
  title1: string;
  description1: string;
  title2: string;
  description2: string;
  explanation: string;
}

export interface SuggestOptions {
  /** Weighs a term as `explainPair` takes it. */
  idf: (term: string) => number;
  longestTitle: number;
  longestDescription: number;
}

/** Names put behind a title. */
const MOST_NAMES = 2;
/**
 * Two texts have to be less alike by their words by this much: their vectors, a quarter of a similarity, are not at hand here
 * and drew closer by up to 0.06 on the sample backlog.
 */
const LEAST_FALL = 0.02;

/**
 * One title and description for two issues, the second one merged into the first. The title is that of the two which says
 * more of what both are about; the description keeps the first one's line for line and adds what only the second one says.
 * Nothing is invented and nothing put in other words. A description that is too long already stays as it is.
 */
export function suggestMerge(
  first: SuggestedIssue,
  second: SuggestedIssue,
  { idf, longestTitle, longestDescription }: SuggestOptions,
): MergeSuggestion {
  const fitting = [first, second].filter(({ title }) => title.length <= longestTitle);
  const [only] = fitting.length === 1 ? fitting : [];
  const titled = only ?? (tellingTitle(first, second, idf) === 'first' ? first : second);
  const merged = mergeTexts(first.body, second.body, {
    secondName: second.mention,
    longest: longestDescription,
  });
  const isOneTitle = first.title === second.title;
  return {
    title: shortened(titled.title, longestTitle),
    description: merged.text,
    sources: merged.sources,
    explanation: [
      isOneTitle
        ? 'Both titles are the same.'
        : `The title of ${titled.key} says more of what both are about.`,
      addedText(second.key, merged),
    ].join(' '),
  };
}

function addedText(key: string, { added, repeated, leftOut }: ReturnType<typeof mergeTexts>): string {
  const parts = (count: number) => (count === 1 ? '1 part' : `${count} parts`);
  const taken =
    added === 0 ? `${key} adds nothing new` : `${parts(added)} of ${key} ${added === 1 ? 'is' : 'are'} added`;
  const once = repeated === 0 ? '' : `, and what both say stands once`;
  const missing =
    leftOut === 0
      ? ''
      : ` ${parts(leftOut)} of it did not fit and ${leftOut === 1 ? 'stays' : 'stay'} there alone.`;
  return `${taken}${once}.${missing}`;
}

/**
 * Titles and descriptions by which two issues are told apart. A title that names nothing of its own gets what its
 * description alone names (a platform, a version, an error), or speaks of, in brackets; a description gets a line that links the other
 * issue and says what that one does not name. Texts that would not make the two less alike stay as they are.
 */
export function suggestDeconflict(
  first: SuggestedIssue,
  second: SuggestedIssue,
  options: SuggestOptions,
): DeconflictSuggestion {
  const [ofFirst, ofSecond] = distinctionsOf(first, second);
  // Titles that are one sentence about two things tell them apart, and would no longer be that with words added.
  const keepTitles = areSiblingTitles(first.title, second.title);
  const words1 = keepTitles ? [] : titleWords(first, second, ofFirst, options);
  const words2 = keepTitles ? [] : titleWords(second, first, ofSecond, options);
  const one = withWords(first, words1, options);
  const other = withWords(second, words2, options);
  const linkedOne = withLine(one, second, firstLine(second, ofFirst), options);
  const linkedOther = withLine(other, first, secondLine(first, ofSecond), options);
  const most = wordSimilarity(first, second, options.idf) - LEAST_FALL;
  const candidates: [Text, Text][] = [
    [linkedOne, linkedOther],
    [linkedOne, other],
    [one, linkedOther],
    [one, other],
  ];
  const apart = candidates.find((texts) => wordSimilarity(...texts, options.idf) <= most);
  const [text1, text2] = apart ?? [first, second];
  return {
    title1: text1.title,
    description1: text1.body,
    title2: text2.title,
    description2: text2.body,
    explanation: [
      differenceText(first.key, ofFirst, text1.title === first.title ? [] : words1),
      differenceText(second.key, ofSecond, text2.title === second.title ? [] : words2),
      ...(apart === undefined ? ['Nothing is added: it would not set the two apart.'] : []),
    ].join(' '),
  };
}

type Text = Pick<SuggestedIssue, 'title' | 'body'>;

/**
 * What a title is to have in brackets: names of its description alone. Where there are none and the other title says all that
 * it says, the words that weigh most in its description.
 */
function titleWords(
  own: SuggestedIssue,
  other: SuggestedIssue,
  { inTitle, inBody }: Distinctions,
  { idf }: SuggestOptions,
): string[] {
  if (inTitle.length > 0) return [];
  const names = inBody.slice(0, MOST_NAMES);
  if (names.length > 0 || !isSaidByTitle(own.title, other.title)) return names;
  return ownWords(own, other, idf);
}

function withWords(text: Text, words: readonly string[], { longestTitle }: SuggestOptions): Text {
  const title = `${text.title} (${words.join(', ')})`;
  return words.length === 0 || title.length > longestTitle ? text : { ...text, title };
}

function withLine(
  text: Text,
  { mention }: SuggestedIssue,
  line: string | null,
  { longestDescription }: SuggestOptions,
): Text {
  if (line === null || text.body.includes(mention)) return text;
  const body = appendParagraph(text.body, line);
  return body.length > longestDescription ? text : { ...text, body };
}

/** The two lines have few words in common, so that they do not make alike what they tell apart. */
function firstLine({ mention }: SuggestedIssue, own: Distinctions): string | null {
  const names = whatItNames(own, 'or');
  return names === null ? null : `Not the same as ${mention}, which does not name ${names}.`;
}

function secondLine({ mention }: SuggestedIssue, own: Distinctions): string | null {
  const names = whatItNames(own, 'and');
  return names === null ? null : `Only this issue mentions ${names}; compare ${mention}.`;
}

function differenceText(key: string, distinctions: Distinctions, words: readonly string[]): string {
  const names = whatItNames(distinctions, 'and');
  if (names !== null) return `Only ${key} names ${names}.`;
  if (words.length > 0) return `Only the description of ${key} speaks of ${words.join(' and ')}.`;
  return `No name was found that only ${key} has.`;
}

function whatItNames({ inTitle, inBody }: Distinctions, conjunction: 'and' | 'or'): string | null {
  const names = inTitle.length > 0 ? inTitle : inBody.slice(0, MOST_NAMES);
  const quoted = names.map((name) => `“${name}”`);
  const last = quoted.pop();
  if (last === undefined) return null;
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${conjunction} ${last}`;
}

function shortened(title: string, longest: number): string {
  if (title.length <= longest) return title;
  const cut = title.slice(0, longest - 1);
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(' '), longest >> 1))
    .toWellFormed()
    .trimEnd()}…`;
}
