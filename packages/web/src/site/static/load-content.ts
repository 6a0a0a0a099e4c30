import { SITE_ORIGIN } from '@winnow/contract/site';

/**
 * Fetches the Markdown file at a path such as `/content/docs.md` and returns it as HTML. Replaces
 * the default site URL in the text with the URL of this site.
 */
export async function loadContent(path: string, signal: AbortSignal): Promise<string> {
  const [response, { htmlOf }] = await Promise.all([fetch(path, { signal }), import('./markdown.ts')]);
  if (!response.ok) throw new Error(`Loading ${path} failed with status ${response.status}.`);
  return htmlOf((await response.text()).replaceAll(SITE_ORIGIN, window.location.origin));
}
