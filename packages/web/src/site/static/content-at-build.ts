import { htmlOf } from './markdown.ts';

const sources = import.meta.glob<string>('../../../public/content/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/**
 * Returns the Markdown file at a path such as `/content/docs.md` as HTML. Only the build can call
 * it.
 */
export function contentAtBuild(path: string): string {
  const source = sources[`../../../public${path}`];
  if (source === undefined) throw new Error(`public${path} not found.`);
  return htmlOf(source);
}
