import { Radio } from '@mantine/core';
import { SettingsPage } from '../../features/settings/settings-page.tsx';
import { type Scheme, THEME_PREFERENCES, type ThemePreference } from '../../theme/theme-preference.ts';
import { chooseTheme, useTheme } from '../../theme/theme-store.ts';
import { Card } from '../../ui/card.tsx';
import { THEME_LOOKS } from '../../ui/theme-menu.tsx';
import classes from './appearance.module.css';

const THEME_DESCRIPTIONS: Record<ThemePreference, string> = {
  light: 'Dark text on a light background',
  dark: 'Light text on a dark background',
  system: 'Follows your operating system',
};
const PREVIEWED_SCHEMES: Record<ThemePreference, readonly Scheme[]> = {
  light: ['light'],
  dark: ['dark'],
  system: ['light', 'dark'],
};

/**
 * Small preview of the console in the given color schemes. With two schemes, each covers one half.
 */
function Preview({ schemes }: { schemes: readonly Scheme[] }) {
  return (
    <span className={classes.preview} aria-hidden="true">
      {schemes.map((scheme) => (
        <span className={`${scheme} ${classes.half}`} key={scheme}>
          <span className={classes.lines}>
            <span className={classes.line} />
            <span className={classes.line} data-active />
            <span className={classes.line} />
          </span>
          <span className={classes.sheet}>
            <span className={classes.line} style={{ width: '70%' }} />
            <span className={classes.line} style={{ width: '45%' }} />
            <span className={classes.line} data-active style={{ width: '80%' }} />
          </span>
        </span>
      ))}
    </span>
  );
}

/** Appearance screen of the settings, which selects the color scheme. */
export function AppearanceScreen() {
  const { preference } = useTheme();
  const choose = (value: string) => {
    const choice = THEME_PREFERENCES.find((name) => name === value);
    if (choice !== undefined) chooseTheme(choice);
  };
  return (
    <SettingsPage width="normal">
      <Card title="Theme" inset>
        <Radio.Group value={preference} onChange={choose} aria-label="Theme">
          <div className={classes.choices}>
            {THEME_PREFERENCES.map((choice) => (
              <Radio.Card
                key={choice}
                value={choice}
                className={classes.choice ?? ''}
                aria-label={THEME_LOOKS[choice].label}
              >
                <Preview schemes={PREVIEWED_SCHEMES[choice]} />
                <span>
                  <span className={classes.label}>
                    <Radio.Indicator size="xs" />
                    {THEME_LOOKS[choice].label}
                  </span>
                  <span className={classes.hint}>{THEME_DESCRIPTIONS[choice]}</span>
                </span>
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
      </Card>
    </SettingsPage>
  );
}
