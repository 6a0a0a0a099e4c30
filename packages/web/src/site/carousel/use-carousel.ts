import { type FocusEvent, type PointerEvent, useEffect, useState } from 'react';
import { useIsTabHidden, useMedia } from '../ui/use-browser-state.ts';
import { slideAfter } from './slide-steps.ts';

/** Time in milliseconds until the carousel advances to the next slide. */
const AUTOPLAY_MS = 3000;

/**
 * Manages the current slide and advances it automatically.
 * Autoplay pauses while the pointer or the focus is on the carousel, or while the tab is hidden. It
 * also pauses while a slide in `held` is shown. The user can pause it too. For users who prefer
 * reduced motion, it starts paused.
 */
export function useCarousel(total: number, held: ReadonlySet<number>) {
  const [index, setIndex] = useState(0);
  const [userChoice, setUserChoice] = useState<boolean | null>(null);
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const prefersReducedMotion = useMedia('(prefers-reduced-motion: reduce)', false);
  const isTabHidden = useIsTabHidden();
  const isPlaying = userChoice ?? !prefersReducedMotion;
  const isRunning = isPlaying && !isHovered && !isFocused && !isTabHidden && !held.has(index);

  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setIndex(slideAfter(index, 1, total)), AUTOPLAY_MS);
    return () => clearTimeout(timer);
  }, [isRunning, index, total]);

  return {
    index,
    isPlaying,
    isRunning,
    turn: (by: number) => setIndex(slideAfter(index, by, total)),
    toggle: () => {
      setUserChoice(!isPlaying);
      // The focus on the pause button does not count. Otherwise keyboard users could not start
      // autoplay.
      setFocused(false);
    },
    /** Props of the carousel element, which detect the pointer and the focus. */
    watched: {
      onPointerEnter: ({ pointerType }: PointerEvent) => setHovered(pointerType !== 'touch'),
      onPointerLeave: () => setHovered(false),
      onFocus: ({ target }: FocusEvent) => setFocused(target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  };
}
