import { SITE_ORIGIN } from '@winnow/contract/site';

/** Reads the markdown at a path such as `/content/docs.md`, as HTML with this site's address. Throws when it cannot be had. */
export async function loadContent(path: string, signal: AbortSignal): Promise<string> {
  const [answer, { htmlOf }] = await Promise.all([fetch(path, { signal }), import('./markdown.ts')]);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
  return htmlOf((await answer.text()).replaceAll(SITE_ORIGIN, window.location.origin));
}
