/** Whether this page is on the host that the server calls its production host, in `<meta name="production-host">`. */
export function isProductionHost(): boolean {
  const named = document.querySelector<HTMLMetaElement>('meta[name="production-host"]');
  return named !== null && named.content === window.location.hostname;
}
