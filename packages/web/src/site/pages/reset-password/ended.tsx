import type { EndedAccess } from '@winnow/contract/account';
import classes from './ended.module.css';

const WHERE_KEYS = 'Create new keys in Settings, API Keys.';
const WHERE_FLOWS = 'Check them and switch them on again under Flows.';

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** What a reset ended, and how to get it back. */
export function Ended({ ended: { sessions, api_keys, flows, default_model } }: { ended: EndedAccess }) {
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
            ? 'There were no API keys.'
            : `${counted(api_keys.length, 'API key was', 'API keys were')} revoked: ${api_keys.join(', ')}. ${WHERE_KEYS}`}
        </li>
        <li>
          {flows.length === 0
            ? 'No flow had to be switched off.'
            : `${counted(flows.length, 'flow was', 'flows were')} switched off: ${flows.join(', ')}. ${WHERE_FLOWS}`}
        </li>
        {default_model ? (
          <li>The default model is the built-in analyst again. Choose another in Settings, AI Models.</li>
        ) : null}
      </ul>
      <p>The same list was sent to your email address.</p>
    </section>
  );
}
