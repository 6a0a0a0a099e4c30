import { type ComponentType, startTransition, useEffect, useRef, useState } from 'react';
import { Router, useLocation } from 'wouter';
import { pageAt, tabTitle } from './content/page-table.ts';
import { Footer } from './frame/footer.tsx';
import frame from './frame/frame.module.css';
import { Header } from './frame/header.tsx';
import { loadPage } from './load-page.ts';

export interface SiteProps {
  /** The page that is shown first; its code is loaded already. */
  first: { path: string; Page: ComponentType };
  /** While rendering to HTML there is no address bar to read. */
  renderedPath?: string;
}

/** The public site: a page between header and footer, and the way from one to the next. */
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
      // The console, the API's reference, or nothing: the server knows.
      window.location.assign(path);
      return;
    }
    let isCurrent = true;
    loadPage(page).then(
      (Page) => {
        if (isCurrent) startTransition(() => setShown({ path, Page }));
      },
      // Its code is gone: the site was replaced by a newer one.
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
        Skip to the content
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
