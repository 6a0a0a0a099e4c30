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

/** What step 1 asks for. */
export type ConnectionValues = {
  name: string;
  type: ConnectableTrackerType;
  url: string;
  /** Of Jira only. */
  username: string;
  api_key: string;
};

/** The fields a refused call can speak of. */
export const CONNECTION_FIELDS = ['name', 'type', 'url', 'username', 'api_key'] as const;

/** The type a new tracker starts with. */
const FIRST_TYPE: ConnectableTrackerType = 'github';

/** What step 1 starts with: an edited tracker's own values, but never its key. */
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
 * What must be right before the connection is checked. Only a new tracker needs a key. `takenNames` are those of the
 * other trackers; the server has the last word on them.
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
      const message = 'Enter the e-mail address of your Atlassian account.';
      issues.push({ code: 'custom', input: value.username, path: ['username'], message });
    }
  });
}

/** Jira Cloud wants to know whose the token is; a personal access token of Data Center tells by itself. */
function isJiraCloud(url: string): boolean {
  return /^(?:https?:\/\/)?[^/]+\.(?:atlassian\.net|jira\.com)(?:[:/]|$)/i.test(url);
}

/** What beside the key belongs to a connection. */
function detailsOf({ type, username }: ConnectionValues) {
  return type === 'jira' && username.trim() !== '' ? { username: username.trim() } : {};
}

/** The connection as the check wants it. Without a new key an edited tracker's stored one is used. */
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

/** The body that adds a tracker. */
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

/** The body that changes a tracker; an empty key leaves the stored one. */
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

/** The first line of a failure, which is all that fits beside a form. */
export function firstLine(message: string): string {
  const line = message.split('\n').find((text) => text.trim() !== '');
  return line?.trim() ?? 'The connection could not be checked.';
}
