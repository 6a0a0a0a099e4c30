import { MENTION } from './masked-mentions.ts';
import {
  CONDITION_BEFORE,
  DONE_AFTER,
  DOUBT_BEFORE,
  FAILURE_WORDS,
  HAS_BEEN_BEFORE,
  NEGATION_AFTER,
  NEGATION_BEFORE,
  PAST_BEFORE,
} from './negation.ts';
import { DONE_FIRST_PHRASES, PHRASES, type Phrase } from './phrases.ts';
import {
  before,
  endOfMention,
  listEndingAt,
  MAX_MENTION_DISTANCE_CHARS,
  type MentionIndex,
  mentionsIn,
  objectsAfter,
  SELF_REFERENCE,
  subjectsBefore,
} from './subjects-objects.ts';

/**
 * A dependency that a sentence states. `source` must be finished before `dependent`. Each is the
 * position of a mention, or `self`.
 */
export interface Relation {
  source: MentionIndex;
  dependent: MentionIndex;
  /** From 0 to 1. The value 0 means that the sentence denies the dependency. */
  confidence: number;
  /** Range of the words in the sentence that state the dependency, including the mentions. */
  start: number;
  end: number;
}

/** Words before "block" that show that it is a noun, as in "code block". */
const NO_VERB = /(?<![\p{L}])(?:code|building|text|memory|content|data|the|a|these|those|such)\s{1,3}$/iu;
/** The confidence is multiplied by this factor if the words express doubt. */
const DOUBT_FACTOR = 0.75;
const FIRST_CONFIDENCE = 0.9;

/**
 * Returns the dependencies that a sentence states. They are between the issues that it mentions and
 * the issue that contains the text. Apply `maskMentions` to the sentence first. A question states
 * no dependency. Runs in linear time.
 */
export function relationsIn(sentence: string): Relation[] {
  if (!/\p{L}/u.test(sentence) || /[?？]\s*$/.test(sentence)) return [];
  const first = firstIn(sentence);
  const found = PHRASES.flatMap((phrase) =>
    [...sentence.matchAll(phrase.pattern)].map(({ 0: words, index }) => ({
      phrase,
      start: index,
      end: index + words.length,
    })),
  ).sort((a, b) => a.start - b.start);
  const taken = new Uint8Array(sentence.length);
  for (const { start, end } of first) taken.fill(1, start, end);
  const relations: Relation[] = [...first];
  let last: Use | null = null;
  for (const { phrase, start, end } of found) {
    if (start < (last?.end ?? 0) || taken[start] === 1 || taken[end - 1] === 1) continue;
    const use = useAt(sentence, phrase, { start, end }, last);
    if (use === null) continue;
    last = use;
    relations.push(...relationsOf(use));
  }
  return relations;
}

/** A phrase, and the issues before and after it in the sentence. */
interface Use {
  phrase: Phrase;
  subjects: MentionIndex[];
  objects: MentionIndex[];
  confidence: number;
  start: number;
  /** End of the last object in the sentence. */
  end: number;
}

function relationsOf({ phrase, subjects, objects, confidence, start, end }: Use): Relation[] {
  const from = Math.min(start, ...subjects.filter((party) => party !== 'self'));
  return subjects.flatMap((subject) =>
    objects.flatMap((object) => {
      if (subject === object) return [];
      const [source, dependent] = phrase.direction === 'waits' ? [object, subject] : [subject, object];
      return [{ source, dependent, confidence, start: from, end }];
    }),
  );
}

/**
 * Returns a dependency on each mention that must be done first, as in "#12 must be merged first".
 */
function firstIn(sentence: string): Relation[] {
  return DONE_FIRST_PHRASES.flatMap((pattern) =>
    [...sentence.matchAll(pattern)].flatMap(({ 0: words, index }) => {
      const inside = mentionsIn(words).map((at) => index + at);
      const listed = words.startsWith(MENTION) ? listEndingAt(sentence, endOfMention(sentence, index)) : [];
      const start = Math.min(index, ...listed);
      const confidence = NEGATION_BEFORE.test(before(sentence, start)) ? 0 : FIRST_CONFIDENCE;
      return [...new Set([...listed, ...inside])].map((source) => ({
        source,
        dependent: 'self' as const,
        confidence,
        start,
        end: index + words.length,
      }));
    }),
  );
}

function useAt(
  sentence: string,
  phrase: Phrase,
  { start, end }: { start: number; end: number },
  last: Use | null,
): Use | null {
  const lead = before(sentence, start);
  if (CONDITION_BEFORE.test(lead) || (PAST_BEFORE.test(lead) && !HAS_BEEN_BEFORE.test(lead))) return null;
  if (/^block(?:s|ing)?$/i.test(sentence.slice(start, end)) && NO_VERB.test(lead)) return null;
  const objects = objectsAfter(sentence, end);
  if (objects === null) return null;
  const { subjects, certainty } = subjectsBefore(sentence, start, last);
  if (!subjects.some((subject) => subject !== 'self') && objects.parties.includes('self')) return null;
  const behind = sentence.slice(objects.end, objects.end + MAX_MENTION_DISTANCE_CHARS);
  const { time } = phrase;
  if (time !== null) {
    const filler = sentence.slice(end, objects.first);
    if (filler.includes(',') || SELF_REFERENCE.test(filler)) return null;
    if (DONE_AFTER.test(behind) || FAILURE_WORDS.test(lead) || FAILURE_WORDS.test(behind)) return null;
    if (!(time.before?.test(lead) || time.behind?.test(behind))) return null;
  }
  const isDenied = (time === null && NEGATION_BEFORE.test(lead)) || NEGATION_AFTER.test(behind);
  const confidence = isDenied
    ? 0
    : phrase.confidence * objects.certainty * certainty * (DOUBT_BEFORE.test(lead) ? DOUBT_FACTOR : 1);
  return { phrase, subjects, objects: objects.parties, confidence, start, end: objects.end };
}
