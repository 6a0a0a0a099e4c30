import { type IsKnownReference, type ReferringIssue, referencesInProse } from '../references.ts';
import { type HeadingMeaning, headingMeaning } from './list-headings.ts';
import { MENTION, maskMentions } from './masked-mentions.ts';
import { proseOf } from './prose.ts';
import { quoted } from './quote.ts';
import { type Relation, relationsIn } from './relations.ts';
import { type Statement, statementsIn } from './statements.ts';

/**
 * Position of words in an issue: the text that contains them (a comment by its index) and UTF-16
 * offsets.
 */
interface EvidenceRange {
  where: 'title' | 'description' | number;
  start: number;
  end: number;
}

/**
 * A dependency that a text states: the source must be finished before the dependent can be. Both
 * are keys.
 */
export interface StatedDependency {
  source: string;
  dependent: string;
  /** Explains the reason and direction with words of the text. */
  reason: string;
  /** Confidence from 0 to 1 that the text states it. */
  confidence: number;
  evidence: EvidenceRange;
}

/** An issue whose texts are read. */
export interface StatingIssue extends ReferringIssue {
  title: string;
  body: string;
}

/** Words that exempt a listed issue from the meaning of the list. */
const SAYS_OTHERWISE =
  /(?<![\p{L}])(?:none|no|not|nothing|neither|independent|unrelated|related|similar|same|see also|optional|duplicate|nice to have|keine?|aucune?|ningun[oa]?)(?![\p{L}])|n['’]t(?![\p{L}])/iu;
const LISTED_CONFIDENCE = 0.88;
const PART_CONFIDENCE = 0.85;

/** A relation between keys, with its position. Confidence 0 revokes earlier statements. */
interface StatedRelation {
  source: string;
  dependent: string;
  confidence: number;
  evidence: EvidenceRange;
  /**
   * Words above the list that states the relation, empty if there are none; null if a sentence
   * states it.
   */
  list: string | null;
}

/**
 * Finds the dependencies that an issue's texts state, in any direction and also between two other
 * issues. It reads phrases such as "blocked by #12", lists under headings such as "Depends on", and
 * task lists, for whose items the issue waits.
 *
 * `comments` are in chronological order; later texts revoke what they deny. Each pair appears once
 * per direction, with its most certain statement. Mentions that `isKnown` rejects are ignored.
 * Linear time.
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

/** Returns the relation that a sentence without a phrase has because of its list or heading. */
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

/** True if a mention is the topic of its item: it begins or ends the item. */
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
