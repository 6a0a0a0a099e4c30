import type { TrackerType } from '@winnow/contract/tracker';
import { readGitHubWebhook } from '../trackers/github/webhook.ts';
import { readGitLabWebhook } from '../trackers/gitlab/webhook.ts';
import { readJiraWebhook } from '../trackers/jira/webhook.ts';
import type { ReadWebhook } from '../trackers/provider.ts';

/** Who reads what a tracker of each type delivers; nobody for the sample, which is ours. */
export const READERS: Readonly<Record<TrackerType, ReadWebhook | null>> = {
  github: readGitHubWebhook,
  gitlab: readGitLabWebhook,
  jira: readJiraWebhook,
  sample: null,
};

/** Reads what is meant for a tracker there is not, so that finding out takes as long as for one there is. */
export const readStranger = readGitHubWebhook;
