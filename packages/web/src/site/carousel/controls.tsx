import { IconChevronLeft, IconChevronRight, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import classes from './carousel.module.css';

export interface ControlsProps {
  isPlaying: boolean;
  toggle: () => void;
  turn: (by: number) => void;
  /** Position of the current slide: `1 / 3`. */
  place: string;
}

/** Buttons for previous, pause or play, and next, with the position of the current slide. */
export function Controls({ isPlaying, toggle, turn, place }: ControlsProps) {
  const PlayOrPause = isPlaying ? IconPlayerPause : IconPlayerPlay;
  return (
    <div className={classes.controls}>
      <button type="button" aria-label="Previous slide" onClick={() => turn(-1)}>
        <IconChevronLeft size={18} aria-hidden />
      </button>
      <button type="button" aria-label={isPlaying ? 'Pause the slides' : 'Play the slides'} onClick={toggle}>
        <PlayOrPause size={18} aria-hidden />
      </button>
      <button type="button" aria-label="Next slide" onClick={() => turn(1)}>
        <IconChevronRight size={18} aria-hidden />
      </button>
      <span>{place}</span>
    </div>
  );
}
