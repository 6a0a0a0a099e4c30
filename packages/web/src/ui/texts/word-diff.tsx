import { useMemo, useState } from 'react';
import { countText } from './count-text.ts';
import classes from './word-diff.module.css';
import { type DiffLine, type DiffPiece, diffWords, foldUnchanged } from './word-diff.ts';

const ANNOUNCEMENTS = { added: 'added: ', removed: 'removed: ' } as const;
const TAGS = { added: 'ins', removed: 'del' } as const;

function Piece({ kind, text }: DiffPiece) {
  if (kind === 'same') return <span>{text}</span>;
  const Tag = TAGS[kind];
  return (
    <Tag className={classes[kind]}>
      <span className="vh">{ANNOUNCEMENTS[kind]}</span>
      {text}
      <span className="vh">; </span>
    </Tag>
  );
}

/** React keys are the positions of pieces and lines, because they have no other identity. */
function Line({ line }: { line: DiffLine }) {
  return (
    <p className={classes.line} dir="auto">
      {Array.from(line.pieces, (piece, at) => (
        <Piece key={`${at}`} {...piece} />
      ))}
    </p>
  );
}

function Fold({ lines }: { lines: DiffLine[] }) {
  const [opened, setOpened] = useState(false);
  if (opened) return Array.from(lines, (line, at) => <Line key={`${at}`} line={line} />);
  return (
    <button className={classes.fold} onClick={() => setOpened(true)} type="button">
      {countText(lines.length)} unchanged lines
    </button>
  );
}

/**
 * Shows the differences between two texts, word by word.
 * Removed text is struck through and added text is underlined. Screen readers announce both. Long
 * unchanged parts are folded. Markdown is shown as source.
 */
export function WordDiff({ before, after }: { before: string; after: string }) {
  const { lines } = useMemo(() => diffWords(before, after), [before, after]);
  const rows = useMemo(() => foldUnchanged(lines), [lines]);
  if (!lines.some(({ changed }) => changed)) {
    return (
      <p className={classes.none}>
        {before === after ? 'No change.' : 'Only spaces and line breaks change.'}
      </p>
    );
  }
  return (
    <div className={classes.diff}>
      {rows.map((row, at) =>
        row.kind === 'line' ? (
          <Line key={`${at}`} line={row.line} />
        ) : (
          <Fold key={`${at} ${before.length} ${after.length}`} lines={row.lines} />
        ),
      )}
    </div>
  );
}
