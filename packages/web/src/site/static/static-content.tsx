import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Alert } from '../ui/alert.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { loadContent } from './load-content.ts';
import classes from './static-content.module.css';

/**
 * The module that reads the Markdown files at build time. Null in the browser, whose bundle does
 * not contain the files.
 */
const atBuild = import.meta.env.SSR ? await import('./content-at-build.ts') : null;

/**
 * Returns the HTML for the first render. In the build, it is converted from Markdown. In the
 * browser, it is read from the prerendered document. Null after a client-side navigation.
 */
function initialContent(path: string): string | null {
  if (atBuild !== null) return atBuild.contentAtBuild(path);
  return document.querySelector(`[data-content="${path}"]`)?.innerHTML ?? null;
}

export interface StaticContentProps {
  /** Path of the Markdown file, such as `/content/docs.md`. */
  path: string;
  /** Heading shown if the content cannot be loaded. */
  title: string;
}

/** A page that displays a Markdown file. */
export function StaticContent({ path, title }: StaticContentProps) {
  const [first] = useState(() => initialContent(path));
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
    // Scrolls to the target of the URL fragment. The target did not exist when the browser opened
    // the page.
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

/** Renders HTML converted from Markdown, with a copy button in each code block. */
function Content({ path, html }: { path: string; html: string }) {
  const article = useRef<HTMLElement>(null);
  const [placeholders, setPlaceholders] = useState<readonly Element[]>([]);
  // The placeholders of the copy buttons are part of the HTML, so they exist only after the first
  // render.
  useEffect(() => {
    setPlaceholders([...(article.current?.querySelectorAll('[data-copy]') ?? [])]);
  }, []);
  return (
    <>
      <article
        ref={article}
        className={`${classes.page} ${classes.content}`}
        data-content={path}
        // This is safe, because the Markdown is part of this project and htmlOf escapes all tags.
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {placeholders.map((placeholder, index) =>
        createPortal(
          <CopyButton text={codeBeside(placeholder)} what="this code" />,
          placeholder,
          String(index),
        ),
      )}
    </>
  );
}

function codeBeside(placeholder: Element): string {
  return placeholder.parentElement?.querySelector('code')?.textContent.trimEnd() ?? '';
}
