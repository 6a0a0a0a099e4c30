import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ComponentProps,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { RowRegistry } from './row-registry.ts';

/** Estimated height of a row in pixels, used until the row is measured. Equals `--h-row-2`. */
const ROW_HEIGHT = 56;
/** Number of rows mounted above and below the visible rows. Fast scrolling then shows no gap. */
const OVERSCAN = 12;

export type WindowedBodyProps = {
  /** Attributes of the `tbody` element. */
  body: ComponentProps<'tbody'>;
  /** Ids of all rows, from top to bottom. */
  ids: readonly string[];
  rowAt: (index: number) => ReactNode;
  registry: RowRegistry;
};

/** Returns the element that scrolls the list: its nearest ancestor with scrollable overflow. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  }
  return document.documentElement;
}

/** The body of a long list. Only rows near the visible part are mounted. */
export function WindowedBody({ body, ids, rowAt, registry }: WindowedBodyProps) {
  const element = useRef<HTMLTableSectionElement>(null);
  const [scroll, setScroll] = useState<{ scroller: HTMLElement; offset: number } | null>(null);
  useEffect(() => {
    if (element.current === null) return;
    const scroller = scrollerOf(element.current);
    const { top } = element.current.getBoundingClientRect();
    setScroll({ scroller, offset: top - scroller.getBoundingClientRect().top + scroller.scrollTop });
  }, []);
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroll?.scroller ?? null,
    getItemKey: (index) => ids[index] ?? index,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: scroll?.offset ?? 0,
  });
  const reveal = useEffectEvent((id: string) => {
    const index = ids.indexOf(id);
    if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' });
  });
  useEffect(() => registry.onReveal((id) => reveal(id)), [registry]);
  // Scrolling causes many renders. Rows are cached here, and React skips rows whose element is
  // unchanged.
  const drawn = useMemo(() => ({ rowAt, rows: new Map<number, ReactNode>() }), [rowAt]);
  const drawnAt = (index: number) => {
    if (!drawn.rows.has(index)) drawn.rows.set(index, drawn.rowAt(index));
    return drawn.rows.get(index);
  };
  const mounted = virtualizer.getVirtualItems();
  const before = (mounted[0]?.start ?? virtualizer.options.scrollMargin) - virtualizer.options.scrollMargin;
  return (
    <tbody
      {...body}
      ref={element}
      style={{ height: virtualizer.getTotalSize(), paddingTop: before, boxSizing: 'border-box' }}
    >
      {mounted.map(({ index }) => drawnAt(index))}
    </tbody>
  );
}
