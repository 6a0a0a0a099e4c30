/** The address without a parameter: what the address bar shows once it was read. Null when it has no such parameter. */
export function withoutParameter(address: string, name: string): string | null {
  const url = new URL(address);
  if (!url.searchParams.has(name)) return null;
  url.searchParams.delete(name);
  return `${url.pathname}${url.search}${url.hash}`;
}
