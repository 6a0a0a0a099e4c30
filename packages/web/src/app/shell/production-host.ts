/**
 * True if this page's host is the production host that the server names in `<meta
 * name="production-host">`.
 */
export function isProductionHost(): boolean {
  const named = document.querySelector<HTMLMetaElement>('meta[name="production-host"]');
  return named !== null && named.content === window.location.hostname;
}
