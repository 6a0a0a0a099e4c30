import type { Issue } from '@winnow/contract/issue';
import type { Highlight } from '@winnow/contract/search';
import { useMemo } from 'react';
import { splitMarked } from '../../../features/issues/text/marks.ts';
import classes from './issue-table.module.css';
import { foundIn, snippetOf } from './snippet.ts';

export type FoundProps = {
  issue: Issue;
  /** Where it has what was searched for. */
  highlights: readonly Highlight[];
};

/** A title with the words that were searched for. */
export function FoundTitle({ issue: { title }, highlights }: FoundProps) {
  return splitMarked(title, foundIn(highlights, 'title')).map(({ start, end, passage }) =>
    passage === null ? (
      <span key={start}>{title.slice(start, end)}</span>
    ) : (
      <mark className={classes.mark} key={start}>
        {title.slice(start, end)}
      </mark>
    ),
  );
}

/** The line of the description where they stand; nothing when it has none of them. */
export function FoundLine({ issue: { description }, highlights }: FoundProps) {
  const pieces = useMemo(() => snippetOf(description, highlights), [description, highlights]);
  if (pieces === null) return null;
  const placed = pieces.map((piece, at) => ({ ...piece, at }));
  return (
    <span className={`${classes.found} trunc`} dir="auto">
      {placed.map(({ text, passage, at }) =>
        passage === null ? (
          <span key={at}>{text}</span>
        ) : (
          <mark className={classes.mark} key={at}>
            {text}
          </mark>
        ),
      )}
    </span>
  );
}
