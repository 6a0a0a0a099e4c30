import type { Tracker } from '@winnow/contract/tracker';
import type { Tone } from '../../theme/tones.ts';

const count = new Intl.NumberFormat('en');

/** `1 issue`, `1,984 issues`. */
export function issuesText(issues: number): string {
  return `${count.format(issues)} ${issues === 1 ? 'issue' : 'issues'}`;
}

/** How far a sync is, in words; it does not always know how much there is. */
export function progressText(progress: Tracker['sync']['progress']): string {
  if (progress === null) return 'Reading from the tracker';
  if (progress.total <= 0) return `${issuesText(progress.done)} so far`;
  return `${count.format(progress.done)} of ${issuesText(progress.total)}`;
}

/** How far a sync is, from 0 to 1; null when that is not known. */
export function progressShare(progress: Tracker['sync']['progress']): number | null {
  return progress === null || progress.total <= 0 ? null : Math.min(1, progress.done / progress.total);
}

/** Whether a sync is running or waits to: then asking for another one changes nothing that shows. */
export function isBusy({ sync }: Pick<Tracker, 'sync'>): boolean {
  return sync.state === 'running' || sync.state === 'queued';
}

/**
 * Where a tracker's sync stands, in a line, when it is not running: what went wrong in its own words, unless `told`
 * has them already.
 */
export function restingText(
  tracker: Pick<Tracker, 'sync' | 'tracker_type' | 'webhooks'>,
  told: string | null = null,
): string {
  const { sync, tracker_type, webhooks } = tracker;
  const news = sync.last_error === told ? null : sync.last_error;
  if (sync.state === 'queued' && sync.last_error !== null) return news ?? 'Paused. It goes on by itself.';
  if (sync.state === 'queued') return 'Waiting to sync';
  if (sync.state === 'failed') return news ?? 'The last sync failed.';
  if (sync.last_finished_at === null) {
    return sync.issues > 0 ? 'Finishing the first sync' : 'Waiting for the first sync';
  }
  if (news !== null) return news;
  if (tracker_type === 'sample') return 'Up to date';
  if (webhooks.state === 'active') return 'Up to date, webhooks active';
  if (webhooks.state === 'failed') return 'Up to date, webhooks failing, polling for changes';
  return 'Up to date, polling for changes';
}

export type HealthWords = {
  tone: Extract<Tone, 'success' | 'warning' | 'danger' | 'neutral'>;
  label: string;
  /** What is the matter, or as whom we are connected. */
  sentence: string;
};

/** How a tracker's connection is, in a word and a sentence. Missing permissions are named. */
export function healthWords(
  tracker: Pick<Tracker, 'health' | 'tracker_login' | 'tracker_type'>,
): HealthWords {
  const { health, tracker_login, tracker_type } = tracker;
  const { message, cause, missing_permissions: missing } = health;
  switch (health.status) {
    case 'ok': {
      const well =
        tracker_type === 'sample'
          ? 'Lives in Winnow. Nothing leaves it.'
          : tracker_login === null
            ? 'The connection works.'
            : `Connected as ${tracker_login}.`;
      return { tone: 'success', label: 'Connected', sentence: message ?? well };
    }
    case 'warning': {
      const lacking =
        missing.length === 0 ? 'The connection works in part.' : `This token lacks: ${missing.join(', ')}.`;
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
      return { tone: 'neutral', label: 'Not checked yet', sentence: message ?? 'The first sync checks it.' };
  }
}

/** All trackers' health in a line, as the Overview says it. */
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

/** The oldest of the last checks, so that it holds for all; null when nothing was checked yet. */
export function oldestCheck(trackers: readonly Pick<Tracker, 'health'>[]): string | null {
  const checks = trackers.flatMap(({ health }) => (health.checked_at === null ? [] : [health.checked_at]));
  return checks.toSorted()[0] ?? null;
}
