import { IconPlayerPlay, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { Link } from 'wouter';
import type { Slide, SlideMedia } from '../content/slides.ts';
import classes from './carousel.module.css';
import { Controls } from './controls.tsx';
import { stepsOfKey } from './slide-steps.ts';
import { useCarousel } from './use-carousel.ts';
import { useDrag } from './use-drag.ts';
import { Video } from './video.tsx';

/**
 * Slides that fade into each other in an endless loop. Without JavaScript, all slides are listed.
 */
export function Carousel({ label, slides }: { label: string; slides: readonly Slide[] }) {
  const [watching, setWatching] = useState<ReadonlySet<number>>(new Set());
  const { index, isRunning, turn, watched, ...playing } = useCarousel(slides.length, watching);
  const drag = useDrag(turn);

  function onKeyDown({ key, target }: KeyboardEvent): void {
    // Other elements, such as videos, use the arrow keys themselves.
    if (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement) turn(stepsOfKey(key));
  }

  function toggleVideo(at: number): void {
    const others = [...watching].filter((slide) => slide !== at);
    setWatching(new Set(watching.has(at) ? others : [...others, at]));
  }

  return (
    <section
      className={classes.carousel}
      aria-roledescription="carousel"
      aria-label={label}
      {...watched}
      onKeyDown={onKeyDown}
    >
      <Controls {...playing} turn={turn} place={`${index + 1} / ${slides.length}`} />
      <ul className={classes.slides} aria-live={isRunning ? 'off' : 'polite'}>
        {slides.map((slide, at) => (
          <li
            key={slide.title}
            className={classes.slide}
            aria-roledescription="slide"
            aria-label={`${at + 1} of ${slides.length}`}
            data-shown={at === index || undefined}
          >
            <div className={classes.head}>
              <h2>{slide.title}</h2>
              <p>
                {slide.text}{' '}
                <Link href={slide.href} className="link">
                  {slide.linkText}
                </Link>
              </p>
            </div>
            <Frame
              title={slide.title}
              media={slide.media}
              isWatching={watching.has(at)}
              isShown={at === index}
              drag={drag}
              onToggle={() => toggleVideo(at)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FrameProps {
  title: string;
  media: SlideMedia;
  isWatching: boolean;
  isShown: boolean;
  drag: ReturnType<typeof useDrag>;
  onToggle: () => void;
}

/** The image of a slide, or its video. A video plays only while its slide is shown. */
function Frame({ title, media, isWatching, isShown, drag, onToggle }: FrameProps) {
  const Icon = isWatching ? IconX : IconPlayerPlay;
  const label = isWatching ? 'Close Video' : 'Watch Video';
  return (
    <div className={classes.frame} {...(isWatching ? {} : drag)}>
      {isWatching && isShown ? (
        <Video url={media.videoUrl} title={title} />
      ) : (
        <img
          className={classes.media}
          src={media.placeholderImg}
          alt={media.pictureText}
          width={1152}
          height={640}
          loading="lazy"
          draggable={false}
        />
      )}
      <button
        type="button"
        className={isWatching ? classes.close : classes.watch}
        aria-label={`${label}: ${title}`}
        onClick={onToggle}
      >
        <Icon size={18} aria-hidden /> {label}
      </button>
    </div>
  );
}
