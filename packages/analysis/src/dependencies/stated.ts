import { type IsKnownReference, type ReferringIssue, referencesInProse } from '../references.ts';
import { type Lead, readLead } from './leads.ts';
import { proseOf } from './prose.ts';
import { type Relation, relationsIn } from './relations.ts';
import { type Statement, statementsIn } from './statements.ts';
import { MENTION, viewOf } from './view.ts';

/** Where in an issue words stand: the text they are in (a comment by its place, from 0), and UTF-16 offsets into it. */
export interface EvidenceRange {
  where: 'title' | 'description' | number;
  start: number;
  end: number;
}

/** A dependency that a text states: the source must be finished before the dependent can be. Both by their keys. */
export interface StatedDependency {
  source: string;
  dependent: string;
  /** Says in words of the text why, and why in this direction. */
  reason: string;
  /** From 0 to 1: how sure it is that the text says so. */
  confidence: number;
  evidence: EvidenceRange;
}

/** An issue whose texts are read. */
export interface StatingIssue extends ReferringIssue {
  title: string;
  body: string;
}

/** Words under which a listed issue is not what the words over the list say. */
const SAYS_OTHERWISE =
  /(?<![\p{L}])(?:none|no|not|nothing|neither|independent|unrelated|related|similar|same|see also|optional|duplicate|nice to have|keine?|aucune?|ningun[oa]?)(?![\p{L}])|n['’]t(?![\p{L}])/iu;
const LISTED_CONFIDENCE = 0.88;
const PART_CONFIDENCE = 0.85;
const LONGEST_QUOTE = 160;

/** A relation whose parties are keys, with where it was said; confidence 0 takes back what was said before. */
interface Said {
  source: string;
  dependent: string;
  confidence: number;
  evidence: EvidenceRange;
  /** The words over the list that says so by itself, empty when there are none; null when a sentence says it. */
  list: string | null;
}

/**
 * The dependencies that an issue's texts state, in any direction and also between two other issues: phrases such as
 * "blocked by #12", lists under headings such as "Depends on", and task lists, for whose items the issue waits. Comments
 * in the order in which they were written: what a later text denies is left out. Each pair once per direction, with the
 * most certain of its statements. Mentions that `isKnown` refuses are none. In linear time.
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
    for (const said of saidIn(text, where, issue, isKnown)) {
      const pair = `${said.source} ${said.dependent}`;
      if (said.confidence === 0) stated.delete(pair);
      else if (said.confidence > (stated.get(pair)?.confidence ?? 0)) {
        stated.set(pair, presented(said, text, issue.key));
      }
    }
  }
  return [...stated.values()];
}

function saidIn(
  text: string,
  where: EvidenceRange['where'],
  issue: StatingIssue,
  isKnown: IsKnownReference,
): Said[] {
  const prose = proseOf(text);
  const references = referencesInProse(prose, issue, isKnown);
  if (references.length === 0) return [];
  const view = viewOf(prose, references);
  const keyAt = new Map(references.map(({ start, key }) => [start, key]));
  return statementsIn(prose, view).flatMap((statement) => {
    const sentence = view.slice(statement.start, statement.end);
    const relations = relationsIn(sentence);
    const lead = readLead(statement.lead);
    const isListed = relations.length === 0;
    return (isListed ? listedIn(sentence, statement, lead) : relations).flatMap((relation) => {
      const keyOf = (party: Relation['source']): string | undefined =>
        party === 'self' ? issue.key : keyAt.get(statement.start + party);
      const [source, dependent] = [keyOf(relation.source), keyOf(relation.dependent)];
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

/** What a sentence without a phrase says by the list or heading that it stands under. */
function listedIn(sentence: string, { item }: Statement, lead: Lead): Relation[] {
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

/** Whether a mention is what its item is about: it opens the item, or ends it. */
function isItsIssue(sentence: string, mention: RegExpExecArray): boolean {
  const after = sentence.slice(mention.index + mention[0].length);
  return /^[\s(]*$/.test(sentence.slice(0, mention.index)) || /^[\s).]*$/.test(after);
}

function presented(
  { source, dependent, confidence, evidence, list }: Said,
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

/** Words as they are quoted in a sentence: on one line, without marks, not too many. */
function quoted(written: string): string {
  const words = written
    .replace(/[*~`]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE)}…` : words;
}

function rounded(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
