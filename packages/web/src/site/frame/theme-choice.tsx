import { useEffect, useState } from 'react';
import { THEME_PREFERENCES, THEME_STORAGE_KEY, type ThemePreference } from '../../theme/theme-preference.ts';
import classes from './theme-choice.module.css';

const NAMES: Record<ThemePreference, string> = { light: 'Light', dark: 'Dark', system: 'System' };

/** Light, dark, or as the system is: one choice for the site and the console. */
export function ThemeChoice() {
  // Which one holds is known in the browser only, so the rendered page names none.
  const [chosen, setChosen] = useState<ThemePreference | null>(null);
  useEffect(() => {
    let leave: (() => void) | undefined;
    let isGone = false;
    void import('../../theme/theme-store.ts').then(({ onThemeChange, themeState }) => {
      if (isGone) return;
      const take = () => setChosen(themeState().preference);
      leave = onThemeChange(take);
      take();
    });
    return () => {
      isGone = true;
      leave?.();
    };
  }, []);
  async function choose(preference: ThemePreference): Promise<void> {
    const { chooseTheme } = await import('../../theme/theme-store.ts');
    chooseTheme(preference);
  }
  return (
    <label className={classes.choice}>
      <span>Theme</span>
      <select
        name={THEME_STORAGE_KEY}
        value={chosen ?? 'system'}
        onChange={({ currentTarget }) => {
          const preference = THEME_PREFERENCES.find((one) => one === currentTarget.value);
          if (preference) void choose(preference);
        }}
      >
        {THEME_PREFERENCES.map((preference) => (
          <option key={preference} value={preference}>
            {NAMES[preference]}
          </option>
        ))}
      </select>
    </label>
  );
}
