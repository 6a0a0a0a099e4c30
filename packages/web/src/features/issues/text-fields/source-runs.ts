import type { LineSource } from '@winnow/contract/suggestion';
import { isOpenQuestion } from './open-questions.ts';

/**
 * Source of a suggested line: one or both issues of the pair, the edited issue, or the suggestion
 * itself.
 */
type KnownSource = LineSource | 'issue';
/** Source of a line in a text field. Lines may also be typed by the user or be open questions. */
export type ShownSource = KnownSource | 'typed' | 'question';

/** Consecutive lines from one source. */
export type SourceRun = { source: ShownSource; lines: string[] };

/** Label of each line source, and the sign displayed beside its lines. */
export const SOURCES: Record<ShownSource, { sign: string; label: string }> = {
  issue1: { sign: 'A', label: 'only from A' },
  issue2: { sign: 'B', label: 'only from B' },
  both: { sign: 'AB', label: 'from both' },
  issue: { sign: '', label: 'from the issue' },
  new: { sign: '+', label: 'suggested' },
  typed: { sign: '✎', label: 'typed' },
  question: { sign: '?', label: 'to answer' },
};

/** A text and the source of each of its lines. */
export type KnownLines = { text: string; sources: readonly KnownSource[] };

/**
 * Groups consecutive lines of a text by source. Lines of the suggestion keep their source when
 * moved; other lines count as typed. Unanswered questions form separate runs. Empty lines join the
 * previous run.
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

/**
 * Marks each suggested line as existing or new, depending on whether the issue already contains it.
 */
export function ownLines(suggested: string, own: string, side: 'issue1' | 'issue2'): KnownLines {
  const owned = new Set(own.replaceAll('\r\n', '\n').split('\n'));
  return { text: suggested, sources: suggested.split('\n').map((line) => (owned.has(line) ? side : 'new')) };
}

/**
 * Exchanges the sources A and B. Needed for a merge into B, because the server calls the target of
 * a merge A.
 */
export function swapped(sources: readonly LineSource[]): LineSource[] {
  return sources.map((source) => (source === 'issue1' ? 'issue2' : source === 'issue2' ? 'issue1' : source));
}

/** Counts non-empty lines by source, such as `5 lines from both, 2 lines only from A`. */
export function sourcesText(runs: readonly SourceRun[]): string {
  const counts = new Map<ShownSource, number>();
  for (const { source, lines } of runs) {
    const count = lines.filter((line) => line.trim() !== '').length;
    counts.set(source, (counts.get(source) ?? 0) + count);
  }
  const parts = [...counts].flatMap(([source, count]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? 'line' : 'lines'} ${SOURCES[source].label}`],
  );
  return parts.length === 0 ? 'No text' : parts.join(', ');
}
