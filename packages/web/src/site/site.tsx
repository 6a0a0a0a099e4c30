import { type ComponentType, startTransition, useEffect, useRef, useState } from 'react';
import { Router, useLocation } from 'wouter';
import { pageAt, tabTitle } from './content/page-table.ts';
import { Footer } from './frame/footer.tsx';
import frame from './frame/frame.module.css';
import { Header } from './frame/header.tsx';
import { loadPage } from './load-page.ts';

export interface SiteProps {
  /** The page that was opened first. Its code is already loaded. */
  first: { path: string; Page: ComponentType };
  /**
   * Path of the page to render to HTML. Needed in the build, because no address bar exists there.
   */
  renderedPath?: string;
}

/** The public site: header, current page and footer, with client-side navigation. */
export function Site({ first, renderedPath }: SiteProps) {
  return (
    <Router {...(renderedPath === undefined ? {} : { ssrPath: renderedPath })}>
      <Frame first={first} />
    </Router>
  );
}

function Frame({ first }: Pick<SiteProps, 'first'>) {
  const [path] = useLocation();
  const [shown, setShown] = useState(first);
  const main = useRef<HTMLElement>(null);
  const isLoading = shown.path !== path;

  useEffect(() => {
    if (shown.path === path) return;
    const page = pageAt(path);
    if (page === undefined) {
      // The server handles all other paths: the console, the API reference or the 404 page.
      window.location.assign(path);
      return;
    }
    let isCurrent = true;
    loadPage(page).then(
      (Page) => {
        if (isCurrent) startTransition(() => setShown({ path, Page }));
      },
      // If the code of a page cannot be loaded, a newer version was deployed. The browser then
      // loads the page from the server.
      () => window.location.assign(path),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, shown.path]);

  useEffect(() => {
    if (shown === first) return;
    document.title = tabTitle(pageAt(shown.path)?.title ?? '');
    const target =
      window.location.hash === '' ? null : document.getElementById(window.location.hash.slice(1));
    if (target) target.scrollIntoView();
    else window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [shown, first]);

  return (
    <div className={frame.site}>
      <a className={frame.skip} href="#main">
        Skip to content
      </a>
      <Header path={shown.path} />
      {isLoading ? <div className={frame.loading} role="progressbar" aria-label="Loading the page" /> : null}
      <main id="main" ref={main} tabIndex={-1} className={frame.main}>
        <shown.Page key={shown.path} />
      </main>
      <Footer />
    </div>
  );
}
