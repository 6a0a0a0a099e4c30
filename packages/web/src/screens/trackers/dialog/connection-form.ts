import {
  type ConnectableTrackerType,
  type ConnectionTest,
  connectableTrackerType,
  type ScopeRuleInput,
  TRACKER_TYPES,
  type Tracker,
  type TrackerCreate,
  type TrackerUpdate,
  trackerName,
  trackerUpdate,
} from '@winnow/contract/tracker';
import { z } from 'zod';

/** Values of the form fields in step 1. */
export type ConnectionValues = {
  name: string;
  type: ConnectableTrackerType;
  url: string;
  /** Username of the Atlassian account, needed only for Jira. */
  username: string;
  api_key: string;
};

/** Form fields to which errors of the server can refer. */
export const CONNECTION_FIELDS = ['name', 'type', 'url', 'username', 'api_key'] as const;

/** Initially selected type of a new tracker. */
const FIRST_TYPE: ConnectableTrackerType = 'github';

/**
 * Returns the initial form values. When editing a tracker, these are its values without the key.
 */
export function initialValues(tracker: Tracker | null): ConnectionValues {
  const known = connectableTrackerType.safeParse(tracker?.tracker_type);
  const type = known.success ? known.data : FIRST_TYPE;
  return {
    name: tracker?.name ?? '',
    type,
    url: tracker?.url ?? TRACKER_TYPES[type].defaultUrl,
    username: tracker?.connection_details.username ?? '',
    api_key: '',
  };
}

/**
 * Returns the schema that validates the form before the connection is checked. Only a new tracker
 * needs a key. `takenNames` contains the names of all other trackers; the server checks them again.
 */
export function connectionSchema(editing: boolean, takenNames: readonly string[]) {
  const taken = new Set(takenNames.map((name) => name.trim().toLowerCase()));
  const key = trackerUpdate.shape.api_key.unwrap();
  const fields = z.object({
    name: trackerName.refine((name) => !taken.has(name.toLowerCase()), {
      error: 'A tracker with this name already exists.',
    }),
    type: connectableTrackerType,
    url: trackerUpdate.shape.url.unwrap(),
    username: z.string().trim().max(254),
    api_key: editing ? key : key.min(1, 'Enter an API key.'),
  });
  return fields.check(({ value, issues }) => {
    if (value.type !== 'jira') return;
    if (value.url === '') {
      const message = 'Enter the address of your Jira, such as https://acme.atlassian.net.';
      issues.push({ code: 'custom', input: value.url, path: ['url'], message });
    }
    if (value.username === '' && isJiraCloud(value.url)) {
      const message = 'Enter the email address of your Atlassian account.';
      issues.push({ code: 'custom', input: value.username, path: ['username'], message });
    }
  });
}

/**
 * True for an address of Jira Cloud. Tokens of Jira Cloud need a username, tokens of Jira Data
 * Center do not.
 */
function isJiraCloud(url: string): boolean {
  return /^(?:https?:\/\/)?[^/]+\.(?:atlassian\.net|jira\.com)(?:[:/]|$)/i.test(url);
}

/** Returns the connection data besides the address and the key. */
function detailsOf({ type, username }: ConnectionValues) {
  return type === 'jira' && username.trim() !== '' ? { username: username.trim() } : {};
}

/**
 * Returns the request body that checks the connection. If the user entered no new key, the server
 * uses the stored one.
 */
export function connectionOf(values: ConnectionValues, tracker: Tracker | null): ConnectionTest {
  const { type, url, api_key } = values;
  return {
    tracker_type: type,
    url: url.trim(),
    api_key: api_key.trim(),
    connection_details: detailsOf(values),
    ...(tracker === null ? {} : { tracker_id: tracker.id }),
  };
}

/** Returns the request body that creates a tracker. */
export function createBody(values: ConnectionValues, scopeRules: ScopeRuleInput[]): TrackerCreate {
  const { name, type, url, api_key } = values;
  return {
    name: name.trim(),
    type,
    url: url.trim(),
    api_key: api_key.trim(),
    scope_rules: scopeRules,
    config: detailsOf(values),
  };
}

/**
 * Returns the request body that updates a tracker. If the user entered no new key, the server keeps
 * the stored one.
 */
export function updateBody(values: ConnectionValues, scopeRules: ScopeRuleInput[]): TrackerUpdate {
  const { name, url, api_key } = values;
  return {
    name: name.trim(),
    url: url.trim(),
    scope_rules: scopeRules,
    config: detailsOf(values),
    ...(api_key.trim() === '' ? {} : { api_key: api_key.trim() }),
  };
}

/** Returns the first line of an error message, because the form has no space for more. */
export function firstLine(message: string): string {
  const line = message.split('\n').find((text) => text.trim() !== '');
  return line?.trim() ?? 'The connection could not be checked.';
}
