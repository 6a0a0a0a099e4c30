/**
 * The address a `Link` header (RFC 8288) gives for a relation such as `next` or `last`; null when it gives none or one
 * that is no absolute address.
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
