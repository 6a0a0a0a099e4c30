import { useEffect, useMemo, useRef, useState } from 'react';
import { foldLines } from '../../../features/issues/text/fold.ts';
import { FoldButton } from '../../../features/issues/text/fold-button.tsx';
import { layoutText } from '../../../features/issues/text/lines.ts';
import type { Passage } from '../../../features/issues/text/marks.ts';
import { TextLines } from '../../../features/issues/text/text-lines.tsx';
import classes from './panel.module.css';

export type IssueTextProps = {
  text: string;
  /**
   * Evidence of all criteria. Lines that contain evidence stay visible when a long text is folded.
   */
  all: readonly Passage[];
  /** Passages of the text to mark. */
  marked: readonly Passage[];
  /** True if each mark displays the number of its criterion. */
  numbered: boolean;
  /** Id of the expanded criterion. Its first marked passage is scrolled into view. */
  openId: string | null;
};

/**
 * Description of an issue with marked evidence. A long description is folded until the user expands
 * it.
 */
export function IssueText({ text, all, marked, numbered, openId }: IssueTextProps) {
  const [whole, setWhole] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const visibleLines = useMemo(() => layoutText(text, all), [text, all]);
  const lines = useMemo(() => layoutText(text, marked), [text, marked]);
  const folded = useMemo(() => foldLines(lines, visibleLines), [lines, visibleLines]);
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
