import { useEffect, useState } from 'react';
import { THEME_PREFERENCES, THEME_STORAGE_KEY, type ThemePreference } from '../../theme/theme-preference.ts';
import classes from './theme-choice.module.css';

const THEME_LABELS: Record<ThemePreference, string> = { light: 'Light', dark: 'Dark', system: 'System' };

/** Selects the theme. The public site and the console use the same stored choice. */
export function ThemeChoice() {
  // Null in the prerendered page, because the choice is stored in the browser.
  const [chosen, setChosen] = useState<ThemePreference | null>(null);
  useEffect(() => {
    let unsubscribe: (() => void) | undefined;
    let isUnmounted = false;
    void import('../../theme/theme-store.ts').then(({ onThemeChange, themeState }) => {
      if (isUnmounted) return;
      const update = () => setChosen(themeState().preference);
      unsubscribe = onThemeChange(update);
      update();
    });
    return () => {
      isUnmounted = true;
      unsubscribe?.();
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
          const preference = THEME_PREFERENCES.find((name) => name === currentTarget.value);
          if (preference) void choose(preference);
        }}
      >
        {THEME_PREFERENCES.map((preference) => (
          <option key={preference} value={preference}>
            {THEME_LABELS[preference]}
          </option>
        ))}
      </select>
    </label>
  );
}
