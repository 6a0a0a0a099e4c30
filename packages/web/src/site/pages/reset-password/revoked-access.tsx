import type { EndedAccess } from '@winnow/contract/account';
import classes from './revoked-access.module.css';

const NEW_KEYS_HINT = 'Create new keys in Settings, API Keys.';
const ENABLE_FLOWS_HINT =
  'Check them with their models and MCP servers, and switch them on again under Flows.';
const MODELS_HINT = 'Remove models that you did not add in Settings, Models. Then choose the default again.';

function counted(count: number, singular: string, plural: string): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** Lists the access that the reset revoked, and how to restore it. */
export function RevokedAccess({
  ended: { sessions, api_keys, flows, default_model },
}: {
  ended: EndedAccess;
}) {
  return (
    <section className={classes.ended} aria-label="What was ended">
      <h2>What was ended</h2>
      <ul>
        <li>
          {sessions === 0
            ? 'You were not signed in on any device.'
            : `You were signed out on ${counted(sessions, 'device', 'devices')}.`}
        </li>
        <li>
          {api_keys.length === 0
            ? 'You had no API keys.'
            : `${counted(api_keys.length, 'API key was', 'API keys were')} revoked: ${api_keys.join(', ')}. ${NEW_KEYS_HINT}`}
        </li>
        <li>
          {flows.length === 0
            ? 'No flow was switched off.'
            : `${counted(flows.length, 'flow was', 'flows were')} switched off: ${flows.join(', ')}. ${ENABLE_FLOWS_HINT}`}
        </li>
        {default_model ? (
          <li>
            The default model is the built-in analyst again, because anyone with the old password may have
            entered the address of a model. {MODELS_HINT}
          </li>
        ) : null}
      </ul>
      <p>The same list was sent to your email address.</p>
    </section>
  );
}
