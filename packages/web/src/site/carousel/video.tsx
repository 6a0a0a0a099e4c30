import classes from './carousel.module.css';
import { videoSource } from './video-source.ts';

/** A video that starts automatically. Files play muted and in a loop. */
export function Video({ url, title }: { url: string; title: string }) {
  const source = videoSource(url);
  if (source.kind === 'file') {
    return (
      <video
        className={classes.media}
        src={source.url}
        aria-label={title}
        autoPlay
        muted
        loop
        controls
        playsInline
      />
    );
  }
  return (
    <iframe
      className={classes.media}
      src={source.url}
      title={title}
      allow="autoplay; fullscreen; picture-in-picture"
      referrerPolicy="strict-origin-when-cross-origin"
      allowFullScreen
    />
  );
}
