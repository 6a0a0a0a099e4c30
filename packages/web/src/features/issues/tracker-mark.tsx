import type { Project } from '@winnow/contract/issue';
import { TrackerIcon } from '../trackers/tracker-icon.tsx';
import { namesakes } from './namesakes.ts';
import { useProjects } from './queries.ts';
import classes from './tracker-mark.module.css';

const NO_PROJECTS: readonly Project[] = [];

/**
 * Returns the tracker of a project that another tracker has too, as a mirror does, under equal names and keys; null for
 * a project that cannot be confused with another one, and while projects are loading.
 */
export function useSharedPlaces() {
  const { data = NO_PROJECTS } = useProjects();
  return namesakes(data);
}

/** Icon and name of the tracker of an issue or a project; nothing where it cannot be confused with another one. */
export function TrackerMark({ projectId }: { projectId: string | null | undefined }) {
  const tracker = useSharedPlaces()(projectId);
  if (tracker === null) return null;
  return (
    <span className={classes.mark} title={tracker.label}>
      <TrackerIcon type={tracker.type} size={12} />
      <span className="vh">in </span>
      <span className={classes.name}>{tracker.name}</span>
    </span>
  );
}
