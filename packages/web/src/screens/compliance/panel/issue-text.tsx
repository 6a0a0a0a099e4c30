import { useEffect, useMemo, useRef, useState } from 'react';
import { foldLines } from '../../../features/issues/text/fold.ts';
import { FoldButton } from '../../../features/issues/text/fold-button.tsx';
import { layoutText } from '../../../features/issues/text/lines.ts';
import type { Passage } from '../../../features/issues/text/marks.ts';
import { TextLines } from '../../../features/issues/text/text-lines.tsx';
import classes from './panel.module.css';

export type IssueTextProps = {
  text: string;
  /** Everything that scores rest on, which decides what of a long text is shown at first. */
  all: readonly Passage[];
  /** What is marked now. */
  marked: readonly Passage[];
  /** Whether the marks carry numbers: those of one criterion do. */
  numbered: boolean;
  /** The criterion that was opened: its first mark is brought into view. */
  openId: string | null;
};

/**
 * The description with the words that scores rest on. A long one is folded until it is asked for.
 */
export function IssueText({ text, all, marked, numbered, openId }: IssueTextProps) {
  const [whole, setWhole] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const kept = useMemo(() => layoutText(text, all), [text, all]);
  const lines = useMemo(() => layoutText(text, marked), [text, marked]);
  const folded = useMemo(() => foldLines(lines, kept), [lines, kept]);
  const rows = whole ? lines.map((line) => ({ kind: 'line', line }) as const) : folded.rows;
  useEffect(() => {
    if (openId !== null) place.current?.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
  }, [openId]);
  if (lines.length === 0) return <p className={classes.noText}>No description.</p>;
  return (
    <>
      <div ref={place}>
        <TextLines rows={rows} numbered={numbered} />
      </div>
      {folded.folded || whole ? (
        <FoldButton className={classes.fold} whole={whole} onToggle={() => setWhole(!whole)} />
      ) : null}
    </>
  );
}
