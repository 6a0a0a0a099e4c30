import type { Issue } from '@winnow/contract/issue';
import type { Highlight } from '@winnow/contract/search';
import { useMemo } from 'react';
import { splitMarked } from '../../../features/issues/text/marks.ts';
import classes from './issue-table.module.css';
import { matchesIn, snippetOf } from './snippet.ts';

export type MatchedTextProps = {
  issue: Issue;
  /** Search matches in the texts of the issue. */
  highlights: readonly Highlight[];
};

/** Title of an issue, with highlighted search matches. */
export function MatchedTitle({ issue: { title }, highlights }: MatchedTextProps) {
  return splitMarked(title, matchesIn(highlights, 'title')).map(({ start, end, passage }) =>
    passage === null ? (
      <span key={start}>{title.slice(start, end)}</span>
    ) : (
      <mark className={classes.mark} key={start}>
        {title.slice(start, end)}
      </mark>
    ),
  );
}

/**
 * The line of the description that contains the first search match. Renders nothing if the
 * description has no match.
 */
export function MatchedLine({ issue: { description }, highlights }: MatchedTextProps) {
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
