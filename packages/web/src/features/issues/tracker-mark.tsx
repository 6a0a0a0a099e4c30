import type { Project } from '@winnow/contract/issue';
import { TrackerIcon } from '../trackers/tracker-icon.tsx';
import { namesakeLookup } from './namesakes.ts';
import { useProjects } from './queries.ts';
import classes from './tracker-mark.module.css';

const NO_PROJECTS: readonly Project[] = [];

/**
 * Returns the look-up of trackers for projects whose names or keys also exist in another tracker,
 * such as a mirror. The look-up is empty while projects are loading.
 */
export function useNamesakeLookup() {
  const { data = NO_PROJECTS } = useProjects();
  return namesakeLookup(data);
}

/**
 * Tracker icon and name of an issue or project that could be confused with one in another tracker.
 */
export function TrackerMark({ projectId }: { projectId: string | null | undefined }) {
  const tracker = useNamesakeLookup()(projectId);
  if (tracker === null) return null;
  return (
    <span className={classes.mark} title={tracker.label}>
      <TrackerIcon type={tracker.type} size={12} />
      <span className="vh">in </span>
      <span className={classes.name}>{tracker.name}</span>
    </span>
  );
}
