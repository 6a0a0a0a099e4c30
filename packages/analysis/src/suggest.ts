import type { JudgedIssue } from './judge.ts';
import { appendParagraph } from './suggest/append-paragraph.ts';
import { type Distinctions, distinctionsOf } from './suggest/distinctions.ts';
import { type LineSource, mergeTexts } from './suggest/merge-texts.ts';
import { tellingTitle } from './suggest/telling-title.ts';

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
 * description alone names (a platform, a version, an error) in brackets; each description stays as it is and gets a line that
 * links the other issue and says what that one is about.
 */
export function suggestDeconflict(
  first: SuggestedIssue,
  second: SuggestedIssue,
  options: SuggestOptions,
): DeconflictSuggestion {
  const [ofFirst, ofSecond] = distinctionsOf(first, second, options.idf);
  return {
    title1: distinctTitle(first.title, ofFirst, options.longestTitle),
    description1: withLink(first, second, ofSecond, options.longestDescription),
    title2: distinctTitle(second.title, ofSecond, options.longestTitle),
    description2: withLink(second, first, ofFirst, options.longestDescription),
    explanation: [differenceText(first.key, ofFirst), differenceText(second.key, ofSecond)].join(' '),
  };
}

function distinctTitle(title: string, { titleNames, inBody }: Distinctions, longest: number): string {
  const names = inBody.slice(0, MOST_NAMES);
  const isDistinct = titleNames || inBody.some((name) => title.includes(name));
  if (isDistinct || names.length === 0) return title;
  const distinct = `${title} (${names.join(', ')})`;
  return distinct.length > longest ? title : distinct;
}

function withLink(
  issue: SuggestedIssue,
  other: SuggestedIssue,
  ofOther: Distinctions,
  longest: number,
): string {
  if (issue.body.includes(other.mention)) return issue.body;
  const names = whatItNames(ofOther);
  const about = names === null ? 'a similar issue' : `which names ${names}; this issue does not`;
  const linked = appendParagraph(issue.body, `Not the same as ${other.mention}, ${about}.`);
  return linked.length > longest ? issue.body : linked;
}

function differenceText(key: string, distinctions: Distinctions): string {
  const names = whatItNames(distinctions);
  return names === null ? `${key} names nothing that the other does not.` : `Only ${key} names ${names}.`;
}

function whatItNames({ inTitle, titleNames, inBody }: Distinctions): string | null {
  const names = titleNames || inBody.length === 0 ? inTitle : inBody.slice(0, MOST_NAMES);
  const quoted = names.map((name) => `“${name}”`);
  const last = quoted.pop();
  if (last === undefined) return null;
  return quoted.length === 0 ? last : `${quoted.join(', ')} and ${last}`;
}

function shortened(title: string, longest: number): string {
  if (title.length <= longest) return title;
  const cut = title.slice(0, longest - 1);
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(' '), longest >> 1))
    .toWellFormed()
    .trimEnd()}…`;
}
