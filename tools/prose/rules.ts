// prose-exception-file: lists the words that the rules forbid.
/** A pattern that plain technical English avoids, with a replacement. */
export interface ProseRule {
  /** Pattern that is matched against each sentence. */
  readonly pattern: RegExp;
  /** The replacement, in the words of the error message. */
  readonly instead: string;
}

const opening = (words: string, instead: string): ProseRule => ({
  pattern: new RegExp(`^(?:${words})(?=[\\s,])`),
  instead,
});
const phrase = (words: string, instead: string): ProseRule => ({
  pattern: new RegExp(`(?<![\\w-])(?:${words})(?![\\w-])`, 'i'),
  instead,
});

const NAME_THE_SUBJECT = 'name the subject first';
const START_WITH_NOUN = 'start with a noun phrase, such as "Maximum …", "Number of …" or "Age of …"';

/** Sentence openings that are forbidden in every sentence of a comment. */
export const SENTENCE_OPENINGS: readonly ProseRule[] = [
  opening('What', `${NAME_THE_SUBJECT}, or start with a verb ("Returns …")`),
  opening('Of', `${NAME_THE_SUBJECT}; move what follows "of" behind it`),
  opening('Who|Whom|Whose|Whoever', `${NAME_THE_SUBJECT}: user, member, caller, operator`),
  opening('Whether', '"True if …"'),
  opening('So (?:many|much|few|long)', 'a noun: limit, maximum, minimum, threshold'),
  opening('From here on', 'a noun: threshold, minimum'),
  opening('To (?:a|an|the|whom)', NAME_THE_SUBJECT),
  opening('The (?:most|least) (?:a|an|that|of)', START_WITH_NOUN),
  opening('How (?:many|much|long|far|often)', START_WITH_NOUN),
  opening('Also without', NAME_THE_SUBJECT),
  opening('Answers', '"Returns" for a function, "Responds" for a server'),
];

/**
 * Sentence openings that are forbidden only at the start of a comment. In later sentences, these
 * words may refer to the sentence before.
 */
export const COMMENT_OPENINGS: readonly ProseRule[] = [
  opening('That|Where|As', NAME_THE_SUBJECT),
  opening('Names as', NAME_THE_SUBJECT),
];

/** Words and phrases that are forbidden in comments, texts, documentation and commit subjects. */
export const WORDS: readonly ProseRule[] = [
  phrase('(?:is|are|was|were|be|been|being) answered', '"returned"'),
  phrase('answers? (?:with|null|true|false|undefined|nothing|\\d+)', '"returns" or "responds with"'),
  phrase('(?:is|are|was|were|be|been|being) told', '"reported", "notified" or "stated"'),
  phrase('tells? of|telling of|told of', '"report"'),
  phrase('so (?:many|much) (?!that|as|more|less|the)\\w+', 'the number: limit, maximum, minimum'),
  phrase('from here on', '"at or above this value"'),
  phrase('whoever|whomever', '"the user", "the member", "the caller" or "the operator"'),
  phrase('somebody|nobody', '"someone", "no one", or the role: user, member, caller, operator'),
  phrase(
    '(?:is|are|was|were|be) there(?=[:;,.]|$| (?:already|yet|too|then|again|until|when|while))',
    '"exists"',
  ),
  phrase('(?:stands?|stood|lies|lay) in', '"is in", "is stored in" or "is at"'),
  phrase('(?:becomes?|became|comes?|came) of', '"result" or "outcome"'),
  phrase('gives? back|gave back|given back', '"returns"'),
  phrase('mend(?:s|ed|ing)?', '"fix"'),
  phrase("of (?:one|our|their|its|his|your|my)(?:['’]s)? own", '"custom", or name the owner'),
  phrase('(?:said|told) in (?:a|the|its|their) texts?', '"stated"'),
  phrase('(?:kept|keeps to)', '"retained", "stored" or "is limited to"'),
  phrase('former', '"previous"'),
  phrase('(?:the|its|their) present \\w+', '"current"'),
  phrase('(?:is|are|was|were|be|been) (?:seen|looked at)', '"displayed" or "checked"'),
  phrase('looked for', '"searched"'),
  phrase('(?:each|some|all|none|many|few|most|one) of which|of which', 'two sentences'),
  phrase('in (?:which|whose) (?:it|they) (?:is|are|was|were)', 'two sentences'),
  phrase('the letters in which', '"case"'),
  phrase('(?:is|are) another', '"differs"'),
  phrase('as (?:it was )?before|no longer|any more', 'the present state; comments do not describe history'),
  phrase('by hand', '"manually"'),
  phrase('rests? on', '"is based on"'),
  phrase('(?:is|are|was|were) taken back', '"is undone"'),
  phrase('goes with (?:it|them)', '"is deleted too"'),
  phrase('E-mails?', '"Email" or "email"'),
  phrase('there (?:is|was) no such', '"not found"'),
];

/** Maximum length of a line in a comment or in a Markdown paragraph, in columns. */
export const MAX_COLUMNS = 100;
/** Maximum length of a commit subject, in characters. */
export const MAX_SUBJECT_CHARS = 72;
/** Maximum length of a sentence in a comment, in words. */
export const MAX_SENTENCE_WORDS = 25;
