import { SettingsPage } from '../../../features/settings/settings-page.tsx';
import { Card } from '../../../ui/card.tsx';
import { ActivityCard } from './activity-card.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactorCards } from './second-factor/second-factor-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

/** Settings: password, passkeys, second factors, sessions and recent account activity. */
export function SecurityScreen() {
  return (
    <SettingsPage width="normal">
      <Card title="Change Password" inset>
        <PasswordForm />
      </Card>
      <SecondFactorCards />
      <SessionsCard />
      <ActivityCard />
    </SettingsPage>
  );
}
