import { MENTION } from './masked-mentions.ts';

/** Position of an issue mention in a sentence. `self` is the issue that contains the text. */
export type MentionIndex = number | 'self';

/** Maximum distance between a phrase and a mention, in UTF-16 code units. */
export const MAX_MENTION_DISTANCE_CHARS = 120;
/** Maximum length of the words between a phrase and the mention it refers to. */
const MAX_FILLER_CHARS = 80;
const MAX_LISTED_MENTIONS = 50;

const MENTION_RUN = `${MENTION}+`;
const FIRST_MENTION = new RegExp(MENTION_RUN, 'g');
const OPTIONAL_PARENTHESIS = '(?:\\s{0,3}\\([^()\\uE000]{0,80}\\))?';
const NEXT_LISTED_MENTION = new RegExp(
  `${OPTIONAL_PARENTHESIS}\\s{0,3}(?:,\\s{0,3}(?:(?:and|or|und|oder|et|ou|y|plus|as well as)\\s{1,3})?|&|\\+|/|\\b(?:and|or|und|oder|et|ou|y|plus|as well as|along with|together with)\\s{1,3}|(?=\\uE000))\\s{0,3}(?:(?:also|both|by|for|on|the|issue|ticket|von|auf|de)\\s{1,3}){0,3}(?:[^,.;:?!()\\uE000]{0,50}\\(\\s{0,3}|[^,.;:?!()\\uE000]{0,40}\\b(?:from|in|of)\\s{1,3})?(${MENTION_RUN})`,
  'y',
);
const LISTED_BEFORE = new RegExp(
  `${MENTION_RUN}(?:${OPTIONAL_PARENTHESIS}\\s{0,3}(?:,|&|\\+|/|and|und|et|y|,\\s{0,3}and)\\s{0,3}${MENTION_RUN}){0,20}$`,
);

/**
 * Words that disconnect a phrase from a mention after it: in "blocked by a bug, see #12", #12 is
 * not the blocker.
 */
const CLAUSE_BREAK =
  /(?<![\p{L}\p{N}])(?:after|also see|as (?:described|discussed|for|in|on|part|seen|with)|asked|because|before|block(?:s|ed|ing)?|but|cf|close[sd]?|closing|depend(?:s|ing)?|described|discussed|duplicates?|fixe[sd]|help|if|instead|like|mentioned|neither|no|none|nor|not|nothing|once|related|reported|same|see|similar|since|than|though|(?:this|it|that) (?:before|by|for|in|to)|unless|unlike|until|unrelated|when|where|whether|while|which|who|with|without|nicht|kein|keine|siehe|wie|pas|aucune?|ninguna?|comme|voir|ver|als)(?![\p{L}\p{N}])|n['’]t(?![\p{L}])/iu;
const CITATION =
  /\(\s{0,3}(?:(?:see|also|cf\.?|siehe|voir|i\.e\.|the|issue|ticket|tracked|in|from|by|as)\s{1,3}){0,4}$/i;
const GENERIC_FILLER =
  /(?<![\p{L}])(?:a|all|an|and|bug|both|change|completion|das|de|den|der|die|done|du|either|el|first|fix|for|from|getting|having|in|issues?|it|la|landing|le|merge|merging|mr|of|on|one|outcome|pr|pull|request|resolution|result|story|task|that|the|this|ticket|tickets|to|von|work)(?![\p{L}])|[^\p{L}\p{N}]/giu;
/** Matches words that refer to the issue containing the text, such as "this". */
export const SELF_REFERENCE =
  /^\s{0,3}(?:on\s{1,3}|for\s{1,3})?(?:this|it|that|us|me|here|dies(?:e[smr]?)?|ceci|cela|esto)(?![\p{L}])/iu;

/** Words allowed between the subject and its phrase. */
const WORDS_AFTER_SUBJECT =
  /^\)?(?:[\s'’]|\([^()]{0,80}\)|,(?=\s{1,3}(?:which|that)(?![\p{L}]))|(?:which|that|is|are|was|were|will|be|been|being|has|have|had|also|still|now|currently|really|only|should|must|can|could|would|may|might|to|then|therefore|actually|already|mainly|both|all|themselves|itself|do|does|did|not|n['’]t|no|longer|never|cannot|can['’]t|won['’]t|a|an|the|in|turn|hard|real|direct|main|ist|sind|wird|est|es|está|noch|merged|done|finished|fixed|closed|land(?:s|ed)?|merge|ship(?:s|ped)?|go(?:es)?|come|happen|start(?:s|ed)?|wait(?:s|ing)?|blocked|needed|required|released|implemented|first|needs?)(?![\p{L}]))*(?:\(\s{0,3})?$/iu;
const OWN_SUBJECT = /(?<![\p{L}])(?:this|it|we|I|dies|das hier|wir|ceci|esto|here)(?![\p{L}])/iu;
const CONTINUES_SUBJECT =
  /^[\s,]*(?:and|but|or|und|et|y)?\s{0,3}(?:also|is|are|in turn|then|itself)?\s{0,3}$/iu;

/** Matches a verb after a listed mention. It begins another statement: "#12 and #13 is …". */
const VERB =
  /^\s{1,3}(?:also|are|blocks?|can|depends|does|has|is|itself|might|must|needs|requires|should|too|waits|was|were|will|would)(?![\p{L}])/iu;
const ALTERNATIVE = /(?<![\p{L}])(?:or|oder|ou)(?![\p{L}])/iu;
/**
 * Factors of the confidence. The first applies if other words precede the mention, the second if
 * the subject may be another issue.
 */
const FILLER_CERTAINTY = 0.93;
const AMBIGUOUS_SUBJECT_CERTAINTY = 0.7;

/** The issues that a phrase refers to. */
interface Objects {
  parties: MentionIndex[];
  /** Factor of the confidence, from 0 to 1. */
  certainty: number;
  /** Start of the first mention, and end of the last one. */
  first: number;
  end: number;
}

/**
 * Returns the mentions, or "this", after a phrase that ends at `at`. Null if there are none near
 * it.
 */
export function objectsAfter(sentence: string, at: number): Objects | null {
  const after = sentence.slice(at, at + MAX_MENTION_DISTANCE_CHARS);
  const self = SELF_REFERENCE.exec(after)?.[0];
  const first = after.indexOf(MENTION);
  const filler = after.slice(0, first);
  if (first >= 0 && isFiller(filler)) {
    const parties: MentionIndex[] = [at + first];
    let end = endOfMention(sentence, at + first);
    let certainty = filler.replace(GENERIC_FILLER, '') === '' ? 1 : FILLER_CERTAINTY;
    for (;;) {
      NEXT_LISTED_MENTION.lastIndex = end;
      const [listed = '', mention = ''] =
        parties.length < MAX_LISTED_MENTIONS ? (NEXT_LISTED_MENTION.exec(sentence) ?? []) : [];
      const next = end + listed.length;
      if (
        mention === '' ||
        (!listed.includes(',') && VERB.test(sentence.slice(next, next + MAX_MENTION_DISTANCE_CHARS)))
      )
        break;
      if (ALTERNATIVE.test(listed)) certainty = Math.min(certainty, 0.75);
      parties.push(next - mention.length);
      end = next;
    }
    return { parties, certainty, first: at + first, end };
  }
  return self === undefined ? null : { parties: ['self'], certainty: 1, first: at, end: at + self.length };
}

/** True if these words may stand between a phrase and the mention it refers to. */
function isFiller(filler: string): boolean {
  const said = filler.replace(CITATION, ' ');
  if (said.length > MAX_FILLER_CHARS || CLAUSE_BREAK.test(said) || /[.;?!()]/.test(said)) return false;
  const comma = said.search(/[,:–—]/);
  return comma < 0 || said.slice(comma).replace(GENERIC_FILLER, '') === '';
}

/**
 * Returns the subjects of a phrase that begins at `at`. `certainty` is a factor of its confidence,
 * from 0 to 1.
 */
export function subjectsBefore(
  sentence: string,
  at: number,
  last: { subjects: MentionIndex[]; end: number } | null,
): { subjects: MentionIndex[]; certainty: number } {
  const start = Math.max(0, at - MAX_MENTION_DISTANCE_CHARS);
  const lead = sentence.slice(start, at);
  const mention = lead.lastIndexOf(MENTION);
  const between = lead.slice(mention + 1);
  const isNamed = start === 0 && /^\W*$/.test(lead.slice(0, mention + 1)) && /^\s{0,3}[:–—-]\s/.test(between);
  if (mention >= 0 && (isNamed || WORDS_AFTER_SUBJECT.test(between))) {
    return { subjects: listEndingAt(sentence, start + mention + 1), certainty: 1 };
  }
  if (last !== null && CONTINUES_SUBJECT.test(sentence.slice(last.end, at)))
    return { subjects: last.subjects, certainty: 1 };
  const isOther = mention >= 0 && !OWN_SUBJECT.test(between) && !/[,:;()–—]/.test(between);
  return { subjects: ['self'], certainty: isOther ? AMBIGUOUS_SUBJECT_CERTAINTY : 1 };
}

/** Returns the start of each mention in the list of mentions that ends at `end`. */
export function listEndingAt(sentence: string, end: number): number[] {
  const start = Math.max(0, end - MAX_MENTION_DISTANCE_CHARS);
  const listed = LISTED_BEFORE.exec(sentence.slice(start, end))?.[0] ?? '';
  return mentionsIn(listed).map((at) => startOfMention(sentence, end - listed.length + at));
}

/** Returns the text before a position, up to the maximum distance of a mention. */
export function before(sentence: string, at: number): string {
  return sentence.slice(Math.max(0, at - MAX_MENTION_DISTANCE_CHARS), at);
}

/** Returns the start of each mention in a text. */
export function mentionsIn(text: string): number[] {
  return [...text.matchAll(FIRST_MENTION)].map(({ index }) => index);
}

/** Returns the end of the mention that begins at `at`. */
export function endOfMention(sentence: string, at: number): number {
  let end = at;
  while (sentence[end] === MENTION) end += 1;
  return end;
}

function startOfMention(sentence: string, at: number): number {
  let start = at;
  while (sentence[start - 1] === MENTION) start -= 1;
  return start;
}
