import { Button } from '@mantine/core';
import type { Pair, PairDetail } from '@winnow/contract/duplicate';
import { useState } from 'react';
import { SOURCES } from '../../../../features/issues/text-fields/source-runs.ts';
import { BothTexts } from '../../panel/both-texts.tsx';
import { IssueBrief } from '../issue-brief.tsx';
import classes from './originals.module.css';

export type OriginalsProps = { pair: Pair; detail: PairDetail | undefined };

/**
 * The original issues of a pair, either as two titles, or side by side with shared passages marked.
 */
export function Originals({ pair, detail }: OriginalsProps) {
  const [sideBySide, setSideBySide] = useState(false);
  return (
    <section aria-label="Original issues">
      <div className={classes.head}>
        <h3 className={classes.heading}>Original issues</h3>
        <Button
          variant="transparent"
          color="accent"
          size="xs"
          disabled={detail === undefined}
          aria-expanded={sideBySide}
          onClick={() => setSideBySide(!sideBySide)}
        >
          {sideBySide ? 'Titles only' : 'Side by side'}
        </Button>
      </div>
      {sideBySide && detail !== undefined ? (
        <div className={classes.sideBySide}>
          <BothTexts pair={detail} />
        </div>
      ) : (
        <div className={classes.originals}>
          {(['issue1', 'issue2'] as const).map((side) => (
            <div className={classes.original} key={side}>
              <span className={classes.letter} data-source={side}>
                {SOURCES[side].sign}
              </span>
              <IssueBrief issue={pair[side]} />
            </div>
          ))}
        </div>
      )}
    </section>
  );
}
