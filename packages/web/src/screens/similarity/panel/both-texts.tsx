import type { PairDetail } from '@winnow/contract/duplicate';
import { useMemo, useState } from 'react';
import { keyBeside } from '../../../features/issues/namesakes.ts';
import { type Folded, foldLines } from '../../../features/issues/text/fold.ts';
import { FoldButton } from '../../../features/issues/text/fold-button.tsx';
import { layoutText } from '../../../features/issues/text/lines.ts';
import { passagesOf } from '../../../features/issues/text/marks.ts';
import { differingLine } from './differing-line.ts';
import { IssueColumn } from './issue-column.tsx';
import classes from './panel.module.css';

function passagesText(count: number): string {
  return count === 1
    ? '1 passage, with the same number on both sides'
    : `${count} passages, numbered the same on both sides`;
}

/**
 * Maximum characters of a line that is quoted. In a longer line, the difference would be hard to
 * find.
 */
const MAX_QUOTED_CHARS = 200;

/** States in which line two descriptions differ. Null if the line is too long to be quoted. */
function differenceText(
  [one, other]: readonly [string, string],
  { issue1, issue2 }: Pick<PairDetail, 'issue1' | 'issue2'>,
): string | null {
  if (Math.max(one.length, other.length) > MAX_QUOTED_CHARS) return null;
  const [key1, key2] = [keyBeside(issue1, issue2), keyBeside(issue2, issue1)];
  if (one === '') return `${key2} has one extra line: “${other}”.`;
  if (other === '') return `${key1} has one extra line: “${one}”.`;
  return `One line differs: ${key1} says “${one}”, ${key2} says “${other}”.`;
}

/**
 * Texts of both issues side by side, with shared passages marked. A long text is folded until the
 * user expands it.
 */
export function BothTexts({ pair }: { pair: PairDetail }) {
  const [whole, setWhole] = useState(false);
  const { issue1, issue2, evidence } = pair;
  const [lines1, lines2] = useMemo(
    () => [
      layoutText(issue1.description, passagesOf(evidence.shared, 'in1')),
      layoutText(issue2.description, passagesOf(evidence.shared, 'in2')),
    ],
    [issue1.description, issue2.description, evidence.shared],
  );
  const folded1 = useMemo(() => foldLines(lines1), [lines1]);
  const folded2 = useMemo(() => foldLines(lines2), [lines2]);
  const rows = (lines: typeof lines1, folded: Folded): Folded['rows'] =>
    whole ? lines.map((line) => ({ kind: 'line', line })) : folded.rows;
  const difference = useMemo(() => {
    const lines = differingLine(issue1.description, issue2.description);
    return lines && differenceText(lines, { issue1, issue2 });
  }, [issue1, issue2]);
  const canFold = folded1.folded || folded2.folded;
  const shared = evidence.shared.length;
  return (
    <section className={classes.texts} aria-label="Both texts">
      <div className={classes.two}>
        <IssueColumn
          issue={issue1}
          older={issue1.created_at < issue2.created_at}
          text={rows(lines1, folded1)}
        />
        <IssueColumn issue={issue2} older={false} text={rows(lines2, folded2)} />
      </div>
      <div className={classes.legend}>
        {shared === 0 ? (
          <span>No passage is shared word for word.</span>
        ) : (
          <>
            <mark className={classes.sample}>Shared</mark>
            <span>{passagesText(shared)}</span>
          </>
        )}
        {difference === null ? null : <span dir="auto">{difference}</span>}
        {canFold ? (
          <FoldButton className={classes.fold} whole={whole} onToggle={() => setWhole(!whole)} />
        ) : null}
      </div>
    </section>
  );
}
