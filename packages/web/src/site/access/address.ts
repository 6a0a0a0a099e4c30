/**
 * Returns path, query string and fragment of the address without the parameter. Returns null if the
 * address does not have the parameter.
 */
export function withoutParameter(address: string, name: string): string | null {
  const url = new URL(address);
  if (!url.searchParams.has(name)) return null;
  url.searchParams.delete(name);
  return `${url.pathname}${url.search}${url.hash}`;
}
