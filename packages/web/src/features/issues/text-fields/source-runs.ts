import type { LineSource } from '@winnow/contract/suggestion';
import { isOpenQuestion } from './open-questions.ts';

/** Where a line of a suggested text comes from: issues of a pair, the one issue that is edited, or nowhere. */
export type KnownSource = LineSource | 'issue';
/** Where a line in a text field comes from: as a suggestion says, or from whoever types; or that it asks for an answer. */
export type ShownSource = KnownSource | 'typed' | 'question';

/** Lines that follow each other and come from one place. */
export type SourceRun = { source: ShownSource; lines: string[] };

/** How sources are told in words and, beside the lines, in a sign. */
export const SOURCES: Record<ShownSource, { sign: string; label: string }> = {
  issue1: { sign: 'A', label: 'only from A' },
  issue2: { sign: 'B', label: 'only from B' },
  both: { sign: 'AB', label: 'from both' },
  issue: { sign: '', label: 'from the issue' },
  new: { sign: '+', label: 'suggested' },
  typed: { sign: '✎', label: 'typed' },
  question: { sign: '?', label: 'to answer' },
};

/** Lines whose source is known, in their order. */
export type KnownLines = { text: string; sources: readonly KnownSource[] };

/**
 * A text as runs of lines by their source. A line that is among the known ones, wherever it was moved to, keeps its source;
 * any other was typed. A question that nobody has answered is one, wherever it comes from. Empty lines go with the line before them.
 */
export function sourceRuns(text: string, known: KnownLines): SourceRun[] {
  const sourcesOf = new Map<string, KnownSource[]>();
  for (const [index, line] of known.text.split('\n').entries()) {
    const source = known.sources[index];
    if (source === undefined) continue;
    const listed = sourcesOf.get(line);
    if (listed === undefined) sourcesOf.set(line, [source]);
    else listed.push(source);
  }
  for (const listed of sourcesOf.values()) listed.reverse();
  const runs: SourceRun[] = [];
  for (const line of text === '' ? [] : text.split('\n')) {
    const listed = sourcesOf.get(line) ?? [];
    const from = (listed.length > 1 ? listed.pop() : listed[0]) ?? 'typed';
    const source = isOpenQuestion(line) ? 'question' : from;
    const last = runs.at(-1);
    if (last !== undefined && (last.source === source || line.trim() === '')) last.lines.push(line);
    else runs.push({ source, lines: [line] });
  }
  return runs;
}

/** The sources of a suggested text whose issue has only its own lines and new ones. */
export function ownLines(suggested: string, own: string, side: 'issue1' | 'issue2'): KnownLines {
  const owned = new Set(own.replaceAll('\r\n', '\n').split('\n'));
  return { text: suggested, sources: suggested.split('\n').map((line) => (owned.has(line) ? side : 'new')) };
}

/** Known lines of a merge that was asked for the other way round, with A still the older issue. */
export function swapped(sources: readonly LineSource[]): LineSource[] {
  return sources.map((source) => (source === 'issue1' ? 'issue2' : source === 'issue2' ? 'issue1' : source));
}

/** How many lines with words come from where: `5 lines from both, 2 lines only from A`. */
export function sourcesText(runs: readonly SourceRun[]): string {
  const counts = new Map<ShownSource, number>();
  for (const { source, lines } of runs) {
    const count = lines.filter((line) => line.trim() !== '').length;
    counts.set(source, (counts.get(source) ?? 0) + count);
  }
  const said = [...counts].flatMap(([source, count]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? 'line' : 'lines'} ${SOURCES[source].label}`],
  );
  return said.length === 0 ? 'No text' : said.join(', ');
}
