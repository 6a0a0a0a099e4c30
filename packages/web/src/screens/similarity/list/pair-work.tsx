import { WorkLine } from '../../../ui/states/work-line.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import type { Work } from '../use-work.ts';

/** Describes the progress of a job. Empty if it is unknown. */
function progressText(progress: Work['progress']): string {
  if (progress === null) return '';
  const done = countText(progress.done);
  return progress.total > 0 ? `${done} of ${countText(progress.total)} issues` : `${done} issues so far`;
}

/** Progress of jobs that may change the list. Renders nothing if none is running. */
export function PairWork({ work: { label, progress } }: { work: Work }) {
  if (label === null) return null;
  const share = progress !== null && progress.total > 0 ? progress.done / progress.total : null;
  return <WorkLine label={label} count={progressText(progress)} share={share} />;
}
