import type { Project } from '@winnow/contract/issue';
import { TrackerIcon } from '../trackers/tracker-icon.tsx';
import { namesakeLookup } from './namesakes.ts';
import { useProjects } from './queries.ts';
import classes from './tracker-mark.module.css';

const NO_PROJECTS: readonly Project[] = [];

/**
 * Returns a function that looks up the tracker of a project. It finds only projects whose names or
 * keys also exist in another tracker, such as a mirror. While projects are loading, it finds none.
 */
export function useNamesakeLookup() {
  const { data = NO_PROJECTS } = useProjects();
  return namesakeLookup(data);
}

/**
 * Icon and name of the tracker of a project. Renders nothing unless another tracker has a project
 * with the same name or key.
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
