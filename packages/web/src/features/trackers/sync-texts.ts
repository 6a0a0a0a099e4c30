import type { Tracker } from '@winnow/contract/tracker';
import type { Tone } from '../../theme/tones.ts';

const count = new Intl.NumberFormat('en');

/** Formats a number of issues, such as `1 issue` or `1,984 issues`. */
export function issuesText(issues: number): string {
  return `${count.format(issues)} ${issues === 1 ? 'issue' : 'issues'}`;
}

/** Describes the progress of a sync, with or without a known total. */
export function progressText(progress: Tracker['sync']['progress']): string {
  if (progress === null) return 'Reading from the tracker';
  if (progress.total <= 0) return `${issuesText(progress.done)} so far`;
  return `${count.format(progress.done)} of ${issuesText(progress.total)}`;
}

/** Returns the progress of a sync as a fraction from 0 to 1. Null if the total is unknown. */
export function progressShare(progress: Tracker['sync']['progress']): number | null {
  return progress === null || progress.total <= 0 ? null : Math.min(1, progress.done / progress.total);
}

/**
 * True if a sync is running or queued. Another request for a sync would then have no visible
 * effect.
 */
export function isBusy({ sync }: Pick<Tracker, 'sync'>): boolean {
  return sync.state === 'running' || sync.state === 'queued';
}

/**
 * Describes a sync that is not running, in one line. Includes the last error. Omits an error that
 * equals `displayed`, since the screen already shows it elsewhere.
 */
export function restingText(
  tracker: Pick<Tracker, 'sync' | 'tracker_type' | 'webhooks'>,
  displayed: string | null = null,
): string {
  const { sync, tracker_type, webhooks } = tracker;
  const news = sync.last_error === displayed ? null : sync.last_error;
  if (sync.state === 'queued' && sync.last_error !== null) return news ?? 'Paused. Resumes automatically.';
  if (sync.state === 'queued') return 'Waiting to sync';
  if (sync.state === 'failed') return news ?? 'The last sync failed.';
  if (sync.last_finished_at === null) {
    return sync.issues > 0 ? 'Finishing the first sync' : 'Waiting for the first sync';
  }
  if (news !== null) return news;
  if (tracker_type === 'sample') return 'Up to date';
  if (webhooks.state === 'active') return 'Up to date, webhooks active';
  if (webhooks.state === 'failed') return 'Up to date, webhooks failing, checks for changes regularly';
  return 'Up to date, checks for changes regularly';
}

export type HealthWords = {
  tone: Extract<Tone, 'success' | 'warning' | 'danger' | 'neutral'>;
  label: string;
  /** Sentence that states the problem, or the login that Winnow uses. */
  sentence: string;
};

/**
 * Returns the label and sentence for the health of a tracker's connection. They name missing
 * permissions.
 */
export function healthWords(
  tracker: Pick<Tracker, 'health' | 'tracker_login' | 'tracker_type'>,
): HealthWords {
  const { health, tracker_login, tracker_type } = tracker;
  const { message, cause, missing_permissions: missing } = health;
  switch (health.status) {
    case 'ok': {
      const well =
        tracker_type === 'sample'
          ? 'Stored in Winnow only.'
          : tracker_login === null
            ? 'The connection works.'
            : `Connected as ${tracker_login}.`;
      return { tone: 'success', label: 'Connected', sentence: message ?? well };
    }
    case 'warning': {
      const lacking =
        missing.length === 0
          ? 'The connection works only partly.'
          : `This token lacks: ${missing.join(', ')}.`;
      return {
        tone: 'warning',
        label: missing.length === 0 ? 'Limited' : 'Missing permissions',
        sentence: message ?? lacking,
      };
    }
    case 'error':
      return {
        tone: 'danger',
        label: cause === 'token_refused' ? 'Token refused' : 'Not reachable',
        sentence: message ?? 'The tracker could not be read.',
      };
    case 'unknown':
      return {
        tone: 'neutral',
        label: 'Not checked yet',
        sentence: message ?? 'It will be checked during the first sync.',
      };
  }
}

/** Summarizes the health of all trackers in one line, for the overview. */
export function healthSummary(trackers: readonly Pick<Tracker, 'health'>[]): string {
  const refused = trackers.filter(({ health }) => health.cause === 'token_refused').length;
  const broken = trackers.filter(({ health }) => health.status === 'error').length - refused;
  const limited = trackers.filter(({ health }) => health.status === 'warning').length;
  const unchecked = trackers.filter(({ health }) => health.status === 'unknown').length;
  if (trackers.length === 0) return 'None connected yet';
  if (refused > 0 && broken > 0) return `${count.format(refused + broken)} cannot be read`;
  if (refused > 0) return `${count.format(refused)} with a refused token`;
  if (broken > 0) return `${count.format(broken)} not reachable`;
  if (limited > 0) return `${count.format(limited)} with a limited connection`;
  if (unchecked > 0) return `${count.format(unchecked)} not checked yet`;
  return 'All reachable';
}

/** Returns when the least recently checked tracker was checked. Null if no tracker was checked. */
export function oldestCheck(trackers: readonly Pick<Tracker, 'health'>[]): string | null {
  const checks = trackers.flatMap(({ health }) => (health.checked_at === null ? [] : [health.checked_at]));
  return checks.toSorted()[0] ?? null;
}
