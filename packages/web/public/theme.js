// Sets the color scheme before the first paint, so that no page flashes in the other one.
// The rules are those of src/app/theme/theme-preference.ts: a stored choice wins; without one the
// console is dark and the public pages follow the system.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('theme');
  } catch {
    // Storage is switched off: the defaults below apply.
  }
  const chosen = stored === 'light' || stored === 'dark' || stored === 'system' ? stored : null;
  const inConsole = /^\/console(\/|$)/.test(location.pathname);
  const preference = chosen ?? (inConsole ? 'dark' : 'system');
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = preference === 'system' ? (systemIsDark ? 'dark' : 'light') : preference;
  const root = document.documentElement;
  root.classList.add(scheme);
  root.setAttribute('data-mantine-color-scheme', scheme);
})();
