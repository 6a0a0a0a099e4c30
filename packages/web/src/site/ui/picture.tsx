import classes from './picture.module.css';

/**
 * A screenshot of 1440 by 800 px, or a multiple of that. The browser loads it when it scrolls into
 * view.
 */
export function Picture({ src, alt }: { src: string; alt: string }) {
  return <img className={classes.picture} src={src} width={1440} height={800} loading="lazy" alt={alt} />;
}
