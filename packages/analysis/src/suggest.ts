import { areSiblingTitles } from './siblings.ts';
import { parseText } from './suggest/blocks.ts';
import { type Distinctions, distinctionsOf } from './suggest/distinctions.ts';
import { type LineSource, mergeTexts } from './suggest/merge-texts.ts';
import { chooseMergedTitle } from './suggest/merged-title.ts';
import { isCoveredByTitle, ownWords } from './suggest/own-words.ts';
import { wordSimilarity } from './suggest/word-similarity.ts';
import type { JudgedIssue } from './verdict.ts';

/** One of two issues for which texts are suggested. */
export interface SuggestedIssue extends JudgedIssue {
  /**
   * Mention of this issue in the other issue's text, in a form that its tracker turns into a link.
   */
  mention: string;
}

/** A suggested title and description for two merged issues. */
export interface MergeSuggestion {
  title: string;
  description: string;
  /** Origin of each line of the description. */
  sources: LineSource[];
  explanation: string;
}

/** Suggested texts that make two issues easier to tell apart. */
export interface DeconflictSuggestion {
  title1: string;
  description1: string;
  title2: string;
  description2: string;
  explanation: string;
}

export interface SuggestOptions {
  /** Returns the weight of a term, as `explainPair` needs it. */
  idf: (term: string) => number;
  longestTitle: number;
  longestDescription: number;
}

/** Maximum names that are appended to a title. */
const MAX_TITLE_NAMES = 2;
/**
 * Minimum decrease of the word similarity by suggested texts. It allows for vectors, which are
 * unknown here. They account for a quarter of a similarity. On the sample backlog, they became
 * closer by up to 0.06.
 */
const MIN_SIMILARITY_DECREASE = 0.02;

/**
 * Suggests a title and a description for merging the second issue into the first. Chooses the title
 * that covers more of both issues. Retains the first description line by line, and adds statements
 * that only the second contains. Never rephrases text. If the first description is already too
 * long, returns it unchanged.
 */
export function suggestMerge(
  first: SuggestedIssue,
  second: SuggestedIssue,
  { idf, longestTitle, longestDescription }: SuggestOptions,
): MergeSuggestion {
  const fitting = [first, second].filter(({ title }) => title.length <= longestTitle);
  const [only] = fitting.length === 1 ? fitting : [];
  const titled = only ?? (chooseMergedTitle(first, second, idf) === 'first' ? first : second);
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
      isOneTitle ? 'Both titles are the same.' : `The title of ${titled.key} describes both issues better.`,
      addedText(second.key, merged),
    ].join(' '),
  };
}

function addedText(key: string, { added, repeated, leftOut }: ReturnType<typeof mergeTexts>): string {
  const parts = (count: number) => (count === 1 ? '1 part' : `${count} parts`);
  const taken =
    added === 0 ? `${key} adds nothing new` : `${parts(added)} of ${key} ${added === 1 ? 'is' : 'are'} added`;
  const once = repeated === 0 ? '' : ' Text that both issues contain appears once.';
  const missing =
    leftOut === 0
      ? ''
      : ` ${parts(leftOut)} of ${key} did not fit and ${leftOut === 1 ? 'remains' : 'remain'} only there.`;
  return `${taken}.${once}${missing}`;
}

/**
 * Suggests titles and descriptions that make two issues easier to tell apart. A title without a
 * distinguishing name gets one from its description, in brackets. It may be a platform, a version
 * or an error. A description gets a line that links the other issue and names what only one of them
 * mentions. If new texts would not make the issues less similar, returns both unchanged.
 */
export function suggestDeconflict(
  first: SuggestedIssue,
  second: SuggestedIssue,
  options: SuggestOptions,
): DeconflictSuggestion {
  const [ofFirst, ofSecond] = distinctionsOf(first, second);
  // Titles that are the same sentence about two things already distinguish the issues. More words
  // would hide this.
  const keepTitles = areSiblingTitles(first.title, second.title);
  const words1 = keepTitles ? [] : titleWords(first, second, ofFirst, options);
  const words2 = keepTitles ? [] : titleWords(second, first, ofSecond, options);
  const one = withWords(first, words1, options);
  const other = withWords(second, words2, options);
  const linkedOne = withLine(one, second, firstLine(second, ofFirst), options);
  const linkedOther = withLine(other, first, secondLine(first, ofSecond), options);
  const most = wordSimilarity(first, second, options.idf) - MIN_SIMILARITY_DECREASE;
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
      ...(apart === undefined
        ? ['No change is suggested: it would not make the two issues easier to tell apart.']
        : []),
    ].join(' '),
  };
}

type Text = Pick<SuggestedIssue, 'title' | 'body'>;

/**
 * Returns the words to append to a title in brackets. These are names that only the issue's
 * description contains. If there are none and the other title contains all words of this one,
 * returns the words with the highest weight.
 */
function titleWords(
  own: SuggestedIssue,
  other: SuggestedIssue,
  { inTitle, inBody }: Distinctions,
  { idf }: SuggestOptions,
): string[] {
  if (inTitle.length > 0) return [];
  const names = inBody.slice(0, MAX_TITLE_NAMES);
  if (names.length > 0 || !isCoveredByTitle(own.title, other.title)) return names;
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

/**
 * Returns the line for the first issue; {@link secondLine} returns that for the second. Their
 * wording differs, so that they do not make the issues more similar.
 */
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
  if (words.length > 0) return `Only the description of ${key} mentions ${words.join(' and ')}.`;
  return `Nothing was found that only ${key} has.`;
}

function whatItNames({ inTitle, inBody }: Distinctions, conjunction: 'and' | 'or'): string | null {
  const names = inTitle.length > 0 ? inTitle : inBody.slice(0, MAX_TITLE_NAMES);
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

/** Appends a paragraph to a Markdown text. Closes an open block first, such as a code fence. */
function appendParagraph(text: string, paragraph: string): string {
  if (text.trim() === '') return paragraph;
  const openEnd = parseText(text).sections.at(-1)?.blocks.at(-1)?.openEnd ?? null;
  const closed = openEnd === null ? text.trimEnd() : `${text.trimEnd()}\n${openEnd}`;
  return `${closed}\n\n${paragraph}`;
}
