import type { ReactNode } from 'react';
import { safeHref } from '../../../api/safe-href.ts';
import { countText } from '../../../ui/texts/count-text.ts';
import type { FoldedRow } from './fold.ts';
import type { Piece, TextLine } from './lines.ts';
import classes from './text-lines.module.css';

/** An item with its index. React uses the index as key, since pieces and lines have no id. */
type Placed<T> = { at: number; item: T };

function placed<T>(items: readonly T[]): Placed<T>[] {
  return items.map((item, at) => ({ at, item }));
}

const STYLED: Record<Piece['style'], (text: string) => ReactNode> = {
  plain: (text) => text,
  code: (text) => <code>{text}</code>,
  strong: (text) => <strong>{text}</strong>,
  em: (text) => <em>{text}</em>,
};

function styled({ text, style, href }: Piece): ReactNode {
  const address = href === null ? null : safeHref(href);
  const inner = STYLED[style](text);
  return address === null ? (
    inner
  ) : (
    <a className={classes.link} href={address} target="_blank" rel="noreferrer nofollow">
      {inner}
    </a>
  );
}

function Pieces({ pieces, numbered }: { pieces: readonly Piece[]; numbered: boolean }) {
  return placed(pieces).map(({ at, item }) =>
    item.passage === null ? (
      <span key={at}>{styled(item)}</span>
    ) : (
      <mark className={classes.mark} key={at}>
        {styled(item)}
        {numbered && item.endsPassage ? <sup>{item.passage}</sup> : null}
      </mark>
    ),
  );
}

const LINE_CLASSES: Record<Exclude<TextLine['kind'], 'code'>, string | undefined> = {
  text: undefined,
  heading: classes.heading,
  item: classes.item,
  quote: classes.quote,
  blank: classes.blank,
};

type Block =
  | { kind: 'code'; lines: TextLine[] }
  | { kind: 'line'; line: TextLine }
  | { kind: 'gap'; lines: number };

/** Merges consecutive code lines into one block. */
function blocksOf(rows: readonly FoldedRow[]): Block[] {
  const blocks: Block[] = [];
  for (const row of rows) {
    const last = blocks.at(-1);
    if (row.kind === 'gap') blocks.push(row);
    else if (row.line.kind !== 'code') blocks.push({ kind: 'line', line: row.line });
    else if (last?.kind === 'code') last.lines.push(row.line);
    else blocks.push({ kind: 'code', lines: [row.line] });
  }
  return blocks;
}

function BlockView({ block, numbered }: { block: Block; numbered: boolean }) {
  if (block.kind === 'gap') {
    return (
      <p className={classes.gap}>
        {block.lines === 1 ? '1 more line' : `${countText(block.lines)} more lines`}
      </p>
    );
  }
  if (block.kind === 'code') {
    return (
      <div className={classes.code}>
        {placed(block.lines).map(({ at, item }) => (
          <div className={classes.codeLine} key={at}>
            <Pieces pieces={item.pieces} numbered={numbered} />
          </div>
        ))}
      </div>
    );
  }
  const { kind, marker, depth, pieces } = block.line;
  if (kind === 'code') return null;
  return (
    <p dir="auto" className={LINE_CLASSES[kind]} style={depth === 0 ? undefined : { marginLeft: depth * 14 }}>
      {marker === '' ? null : <span className={classes.marker}>{marker}</span>}
      <span>
        <Pieces pieces={pieces} numbered={numbered} />
      </span>
    </p>
  );
}

export type TextLinesProps = {
  rows: readonly FoldedRow[];
  /** True if the number of each passage is displayed at its end. */
  numbered?: boolean;
};

/**
 * Description of an issue as formatted text, with line breaks, code blocks and numbered passages.
 */
export function TextLines({ rows, numbered = true }: TextLinesProps) {
  return (
    <div className={classes.text}>
      {placed(blocksOf(rows)).map(({ at, item }) => (
        <BlockView block={item} numbered={numbered} key={at} />
      ))}
    </div>
  );
}
