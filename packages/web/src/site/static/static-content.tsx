import { useEffect, useState } from 'react';
import { Alert } from '../ui/alert.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { loadContent } from './load-content.ts';
import classes from './static-content.module.css';

/** While pages are rendered to HTML, their content is at hand. The browser's code has neither this nor the content. */
const atBuild = import.meta.env.SSR ? await import('./content-at-build.ts') : null;

/**
 * The content that can be shown at once: while rendering it is converted, and whoever opens the page has it in the
 * document already, where hydration finds it again. Null for whoever came from another page.
 */
function contentAtFirst(path: string): string | null {
  if (atBuild !== null) return atBuild.contentAtBuild(path);
  return document.querySelector(`[data-content="${path}"]`)?.innerHTML ?? null;
}

export interface StaticContentProps {
  /** Where the markdown is served: `/content/docs.md`. */
  path: string;
  /** Its first heading, for when it cannot be had. */
  title: string;
}

/** Markdown of ours as a page. */
export function StaticContent({ path, title }: StaticContentProps) {
  const [first] = useState(() => contentAtFirst(path));
  const [loaded, setLoaded] = useState<string | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const html = first ?? loaded;

  useEffect(() => {
    if (first !== null) return;
    const leaving = new AbortController();
    loadContent(path, leaving.signal).then(setLoaded, () => {
      if (!leaving.signal.aborted) setFailed(true);
    });
    return () => leaving.abort();
  }, [first, path]);

  useEffect(() => {
    // What the address names was not there yet when the page came.
    if (loaded !== null) document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, [loaded]);

  if (hasFailed) {
    return (
      <div className={`${classes.page} ${classes.content}`}>
        <h1>{title}</h1>
        <Alert tone="danger" title="Error loading content.">
          There was an issue fetching the content.
        </Alert>
      </div>
    );
  }
  if (html === null) return <Spinner label="Loading the content" />;
  return (
    <article
      className={`${classes.page} ${classes.content}`}
      data-content={path}
      // The markdown is ours, and htmlOf lets no tag of it through.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
