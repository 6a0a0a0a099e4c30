// Sets the color scheme before the first paint, so that no page flashes in the other one, and
// follows changes of the system's scheme. The rules are those of src/theme/theme-preference.ts: a
// stored choice wins; without one the console is dark and the public pages follow the system.
(() => {
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  function apply() {
    let stored = null;
    try {
      stored = localStorage.getItem('theme');
    } catch {
      // Storage is switched off: the defaults below apply.
    }
    const chosen = stored === 'light' || stored === 'dark' || stored === 'system' ? stored : null;
    const inConsole = /^\/console(\/|$)/.test(location.pathname);
    const preference = chosen ?? (inConsole ? 'dark' : 'system');
    const scheme = preference === 'system' ? (systemDark.matches ? 'dark' : 'light') : preference;
    const root = document.documentElement;
    root.classList.toggle('dark', scheme === 'dark');
    root.classList.toggle('light', scheme === 'light');
    root.setAttribute('data-mantine-color-scheme', scheme);
  }
  apply();
  systemDark.addEventListener('change', apply);
})();
