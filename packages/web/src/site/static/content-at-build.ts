import { htmlOf } from './markdown.ts';

const sources = import.meta.glob<string>('../../../public/content/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The content at a path such as `/content/docs.md`, as HTML. Throws when there is none. Not for the browser's code. */
export function contentAtBuild(path: string): string {
  const source = sources[`../../../public${path}`];
  if (source === undefined) throw new Error(`There is no public${path}.`);
  return htmlOf(source);
}
