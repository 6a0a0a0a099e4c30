import classes from './carousel.module.css';
import { videoSource } from './video-source.ts';

/** A recording that starts by itself, without sound of ours. */
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
