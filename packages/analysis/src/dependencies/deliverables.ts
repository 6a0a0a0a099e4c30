import { stem } from '../stem.ts';
import { tokenize } from '../tokenize.ts';

/** A deliverable named in a text: its distinctive terms in order, and the range of its words. */
export interface FoundThing {
  terms: string[];
  start: number;
  end: number;
}

const TITLE_OPENING =
  /^(?:\s{0,3}\[[^[\]]{1,40}\])*\s{0,3}(?:[\p{L}\p{N}][\p{L}\p{N} /&._-]{0,30}:\s{1,3})?/u;
/** Verbs such as “add” or “build”. Their object exists once the issue is finished. */
const MAKES =
  /^(?:please )?(?:add|build|bring|create|define|design|develop|emit|establish|expose|extract|generate|implement|integrate|introduce|invent|offer|persist|provide|publish|record|set up|ship|store|support|track|write)\s{1,3}/i;
/**
 * Verbs such as “migrate”. The deliverable follows the preposition: “migrate from A to B” creates
 * B.
 */
const MAKES_TO = /^(?:convert|migrate|move|port|switch|replace)\s[^.;:]{0,60}?\b(?:to|with|by|onto)\s{1,3}/i;
const OTHER_VERB =
  /^(?:allow|apply|audit|avoid|backport|change|check|clarify|clean|compare|consider|cover|decide|delete|deprecate|disable|document|drop|enable|ensure|explain|find|fix|handle|hide|improve|increase|investigate|keep|let|limit|make|measure|mention|merge|move|prevent|reconsider|reduce|refactor|remember|remove|rename|reorganize|reply|report|respect|retry|revert|review|rework|run|say|show|simplify|skip|sort|speed|split|stop|test|translate|try|tune|turn|unify|update|upgrade|use|validate|verify|warn)(?:s|es|ed|ing)?\b/i;
const MADE_IN_TEXT =
  /(?<!\p{L})(?:this|it|we|I|the (?:issue|task|change|story))(?: (?:will|would|should|could|can|must|shall|only|also|want to|have to|need to|are going to|plan to|therefore)){0,2} (?:adds?|builds?|creates?|defines?|exposes?|implements?|introduces?|provides?|publish(?:es)?|ships?)\s{1,3}/giu;

/** Matches punctuation and words that end the object of a verb. */
const OBJECT_ENDS =
  /[,;:.!?()[\]“”"–—]|\s-\s|(?<![\p{L}\p{N}-])(?:after|and|as|at|based|because|before|between|but|by|during|for|from|if|in|inside|instead|into|like|next|on|once|or|over|per|so|such|than|that|through|to|under|until|using|via|when|where|which|while|who|whose|with|within|without)(?![\p{L}\p{N}-])/iu;
const MAX_OBJECT_CHARS = 80;
const MAX_THING_TERMS = 5;
/**
 * Minimum distinctive terms of a title without a verb. With fewer terms, the title may be about
 * anything.
 */
const MIN_NAME_TERMS = 2;

/** Words that do not distinguish one deliverable from another. */
const WEIGHTLESS_WORDS: ReadonlySet<string> = new Set(
  `a ability able all an another any basic be been better both can capability common complete consistent correct current
  each every existing explicit feature few first full function future general generic good great have initial is it its
  kind last latest least less make many missing more most much native necessary need new next no now of one option optional other our
  own per possibility planned proper proposed real same second several should simple single small some sort such support that the
  their them there these thing this those two upcoming use user usual various version way we which work your`
    .split(/\s+/)
    .flatMap((word) => [word, stem(word)]),
);

/**
 * Returns the distinctive terms of a text in order, without repetitions. A compound word is one
 * term.
 */
export function distinctiveTerms(text: string): string[] {
  const terms: string[] = [];
  for (const { terms: found } of tokenize(text)) {
    const [term = ''] = found;
    if (term.length > 1 && !WEIGHTLESS_WORDS.has(term) && !/^\d+$/.test(term)) terms.push(term);
  }
  return [...new Set(terms)];
}

/** True if issues of this type create something new. Bugs and questions do not. */
export function makesSomething(type: string | null): boolean {
  return type === null || !/bug|defect|incident|question|support/i.test(type);
}

/**
 * Returns the deliverables that the title of an issue names. This is the object of a verb such as
 * “add” or “migrate to”. If the title has no verb, it is the whole title, except for bugs and
 * questions.
 */
export function deliveredByTitle(title: string, type: string | null): FoundThing[] {
  const opening = TITLE_OPENING.exec(title)?.[0].length ?? 0;
  const rest = title.slice(opening);
  const verb = MAKES_TO.exec(rest)?.[0] ?? MAKES.exec(rest)?.[0];
  const isNamed =
    type !== null && makesSomething(type) && !title.slice(0, opening).includes(':') && !OTHER_VERB.test(rest);
  if (verb === undefined && !isNamed) return [];
  const things = thingAt(title, opening + (verb?.length ?? 0));
  return verb === undefined ? things.filter(({ terms }) => terms.length >= MIN_NAME_TERMS) : things;
}

/** Returns the deliverables that a sentence of the description names, such as "this adds a …". */
export function deliveredByText(sentence: string): FoundThing[] {
  return [...sentence.matchAll(MADE_IN_TEXT)].flatMap(({ 0: words, index }) =>
    thingAt(sentence, index + words.length),
  );
}

function thingAt(text: string, start: number): FoundThing[] {
  const reached = text.slice(start, start + MAX_OBJECT_CHARS);
  const object = reached.slice(0, OBJECT_ENDS.exec(reached)?.index ?? reached.length).trimEnd();
  const terms = distinctiveTerms(object);
  return terms.length === 0 || terms.length > MAX_THING_TERMS
    ? []
    : [{ terms, start, end: start + object.length }];
}
