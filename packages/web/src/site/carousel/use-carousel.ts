import { type FocusEvent, type PointerEvent, useEffect, useState } from 'react';
import { useIsTabHidden, useMedia } from '../ui/use-browser-state.ts';
import { turned } from './turning.ts';

/** How long a slide is shown before the next one comes by itself. */
const AUTOPLAY_MS = 3000;

/**
 * Which slide is shown, and whether the next one comes by itself: not while the pointer or the keyboard's focus is on the
 * carousel, while one of the `held` slides is shown, while the tab is hidden, or once it was paused. Who asks for less
 * motion starts paused.
 */
export function useCarousel(total: number, held: ReadonlySet<number>) {
  const [index, setIndex] = useState(0);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isStill = useMedia('(prefers-reduced-motion: reduce)', false);
  const isTabHidden = useIsTabHidden();
  const isPlaying = wanted ?? !isStill;
  const isRunning = isPlaying && !isPointed && !isFocused && !isTabHidden && !held.has(index);

  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setIndex(turned(index, 1, total)), AUTOPLAY_MS);
    return () => clearTimeout(timer);
  }, [isRunning, index, total]);

  return {
    index,
    isPlaying,
    isRunning,
    turn: (by: number) => setIndex(turned(index, by, total)),
    toggle: () => {
      setWanted(!isPlaying);
      // Whoever asks for it with the keyboard means it, although the focus is here.
      setFocused(false);
    },
    /** Spread onto the carousel. */
    watched: {
      onPointerEnter: ({ pointerType }: PointerEvent) => setPointed(pointerType !== 'touch'),
      onPointerLeave: () => setPointed(false),
      onFocus: ({ target }: FocusEvent) => setFocused(target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  };
}
