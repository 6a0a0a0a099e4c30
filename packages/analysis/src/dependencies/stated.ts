import { type IsKnownReference, type ReferringIssue, referencesInProse } from '../references.ts';
import { type HeadingMeaning, headingMeaning } from './list-headings.ts';
import { MENTION, maskMentions } from './masked-mentions.ts';
import { proseOf } from './prose.ts';
import { quoted } from './quote.ts';
import { type Relation, relationsIn } from './relations.ts';
import { type Statement, statementsIn } from './statements.ts';

/**
 * Range of words in an issue, in UTF-16 offsets. `where` is the text that contains them. A number
 * is the index of a comment.
 */
interface EvidenceRange {
  where: 'title' | 'description' | number;
  start: number;
  end: number;
}

/**
 * A dependency that a text states. `source` and `dependent` are issue keys. The source must be
 * finished before the dependent.
 */
export interface StatedDependency {
  source: string;
  dependent: string;
  /** Explains the dependency and its direction, and quotes the text. */
  reason: string;
  /** Confidence from 0 to 1 that the text states this dependency. */
  confidence: number;
  evidence: EvidenceRange;
}

/** An issue whose texts are searched for dependencies. */
export interface StatingIssue extends ReferringIssue {
  title: string;
  body: string;
}

/**
 * Matches words such as “unrelated”. In a list of dependencies, an item with such a word states
 * none.
 */
const SAYS_OTHERWISE =
  /(?<![\p{L}])(?:none|no|not|nothing|neither|independent|unrelated|related|similar|same|see also|optional|duplicate|nice to have|keine?|aucune?|ningun[oa]?)(?![\p{L}])|n['’]t(?![\p{L}])/iu;
const LISTED_CONFIDENCE = 0.88;
const PART_CONFIDENCE = 0.85;

/**
 * A dependency between two issue keys, and where the text states it. Confidence 0 revokes earlier
 * statements.
 */
interface StatedRelation {
  source: string;
  dependent: string;
  confidence: number;
  evidence: EvidenceRange;
  /**
   * Heading of the list that states the dependency, empty if the list has none. Null if a sentence
   * states it.
   */
  list: string | null;
}

/**
 * Finds the dependencies stated in the texts of an issue, including those between two other issues.
 * It recognizes phrases such as "blocked by #12", lists under headings such as "Depends on", and
 * task lists. An issue waits for the items of its task list.
 *
 * `comments` must be in chronological order. A later text revokes the dependencies that it denies.
 * Each pair of issues appears at most once per direction, with the highest confidence. Mentions are
 * ignored if `isKnown` returns false. Runs in linear time.
 */
export function statedDependencies(
  issue: StatingIssue,
  comments: readonly string[],
  isKnown: IsKnownReference,
): StatedDependency[] {
  const texts: [EvidenceRange['where'], string][] = [
    ['title', issue.title],
    ['description', issue.body],
    ...comments.map((comment, at): [number, string] => [at, comment]),
  ];
  const stated = new Map<string, StatedDependency>();
  for (const [where, text] of texts) {
    for (const said of statedRelationsIn(text, where, issue, isKnown)) {
      const pair = `${said.source} ${said.dependent}`;
      if (said.confidence === 0) stated.delete(pair);
      else if (said.confidence > (stated.get(pair)?.confidence ?? 0)) {
        stated.set(pair, presented(said, text, issue.key));
      }
    }
  }
  return [...stated.values()];
}

function statedRelationsIn(
  text: string,
  where: EvidenceRange['where'],
  issue: StatingIssue,
  isKnown: IsKnownReference,
): StatedRelation[] {
  const prose = proseOf(text);
  const references = referencesInProse(prose, issue, isKnown);
  if (references.length === 0) return [];
  const view = maskMentions(prose, references);
  const keyAt = new Map(references.map(({ start, key }) => [start, key]));
  return statementsIn(prose, view).flatMap((statement) => {
    const sentence = view.slice(statement.start, statement.end);
    const relations = relationsIn(sentence);
    const lead = headingMeaning(statement.lead);
    const isListed = relations.length === 0;
    return (isListed ? listedIn(sentence, statement, lead) : relations).flatMap((relation) => {
      const partyKey = (party: Relation['source']): string | undefined =>
        party === 'self' ? issue.key : keyAt.get(statement.start + party);
      const [source, dependent] = [partyKey(relation.source), partyKey(relation.dependent)];
      if (source === undefined || dependent === undefined || source === dependent) return [];
      const [start, end] = [statement.start + relation.start, statement.start + relation.end];
      const evidence = { where, start, end };
      return [
        {
          source,
          dependent,
          confidence: rounded(relation.confidence),
          evidence,
          list: isListed ? statement.lead : null,
        },
      ];
    });
  });
}

/** Returns the dependencies that a list item states only by the heading of its list. */
function listedIn(sentence: string, { item }: Statement, lead: HeadingMeaning): Relation[] {
  const mentions = [...sentence.matchAll(new RegExp(`${MENTION}+`, 'g'))];
  const [first] = mentions;
  if (first === undefined || SAYS_OTHERWISE.test(sentence) || lead === 'other' || /\?\s*$/.test(sentence))
    return [];
  const isPart = lead === 'parts' || lead === 'open';
  if (isPart && (item === null || (item === 'plain' && lead === 'open') || !isItsIssue(sentence, first)))
    return [];
  if (item === null && !/^\W{0,4}$/.test(sentence.slice(0, first.index))) return [];
  const named = isPart ? [first] : mentions;
  return named.map(({ 0: mention, index }) => ({
    ...(lead === 'blocks'
      ? { source: 'self' as const, dependent: index }
      : { source: index, dependent: 'self' as const }),
    confidence: isPart ? PART_CONFIDENCE : LISTED_CONFIDENCE,
    start: index,
    end: index + mention.length,
  }));
}

/** True if the mention is the topic of a list item: the item begins or ends with it. */
function isItsIssue(sentence: string, mention: RegExpExecArray): boolean {
  const after = sentence.slice(mention.index + mention[0].length);
  return /^[\s(]*$/.test(sentence.slice(0, mention.index)) || /^[\s).]*$/.test(after);
}

function presented(
  { source, dependent, confidence, evidence, list }: StatedRelation,
  text: string,
  own: string,
): StatedDependency {
  const { where, start, end } = evidence;
  const quote = quoted(text.slice(start, end));
  const place =
    where === 'title' || where === 'description' ? `The ${where} of ${own}` : `A comment on ${own}`;
  const shown =
    list === null
      ? `${place} says “${quote}”`
      : `${place} lists ${quote} ${list === '' ? 'among its tasks' : `under “${list}”`}`;
  const reason = `${shown}: ${source} has to be finished before ${dependent}.`;
  return { source, dependent, confidence, evidence, reason };
}

function rounded(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
