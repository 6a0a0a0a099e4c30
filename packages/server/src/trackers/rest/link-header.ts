/**
 * Returns the URL of a relation such as `next` or `last` in a `Link` header (RFC 8288). Returns
 * null if the relation is missing or its URL is not absolute.
 */
export function linkTo(header: string | null, relation: string): URL | null {
  for (const match of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, address = '', parameters = ''] = match;
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    const named = (relations?.[1] ?? relations?.[2] ?? '').toLowerCase().split(/\s+/);
    if (named.includes(relation) && URL.canParse(address)) return new URL(address);
  }
  return null;
}
