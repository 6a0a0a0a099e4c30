import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Alert } from '../ui/alert.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
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
  return <Content path={path} html={html} />;
}

/** Markdown that has become HTML; each block of code in it gets a button that copies it. */
function Content({ path, html }: { path: string; html: string }) {
  const article = useRef<HTMLElement>(null);
  const [places, setPlaces] = useState<readonly Element[]>([]);
  // They are part of the HTML, and there once it is.
  useEffect(() => {
    setPlaces([...(article.current?.querySelectorAll('[data-copy]') ?? [])]);
  }, []);
  return (
    <>
      <article
        ref={article}
        className={`${classes.page} ${classes.content}`}
        data-content={path}
        // The markdown is ours, and htmlOf lets no tag of it through.
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {places.map((place, index) =>
        createPortal(<CopyButton text={codeBeside(place)} what="this code" />, place, String(index)),
      )}
    </>
  );
}

function codeBeside(place: Element): string {
  return place.parentElement?.querySelector('code')?.textContent.trimEnd() ?? '';
}
