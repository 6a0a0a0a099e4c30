import type { DependencyGraph } from '@winnow/contract/dependency';
import { Link } from 'react-router';
import { WorkLine } from '../../../ui/states/work-line.tsx';
import { countText } from '../../../ui/texts/count-text.ts';
import { knownText } from '../dependency-texts.ts';
import { DismissedButton } from '../dismissed/dismissed-button.tsx';
import classes from './issue-list.module.css';

export type ProjectLineProps = {
  known: DependencyGraph;
  projectId: string;
  /**
   * URL of the list with only issues that have dependencies. Null if the list already shows only
   * these.
   */
  dependentHref: string | null;
};

/**
 * States how many dependencies of the project are known, and how many of its issues have been read.
 */
export function ProjectLine({ known, projectId, dependentHref }: ProjectLineProps) {
  const { dependencies, scan } = known;
  const isReading = scan.read < scan.total;
  return (
    <>
      {isReading ? (
        <WorkLine
          label="Reading all issues for dependencies"
          count={`${countText(scan.read)} of ${countText(scan.total)} read`}
          share={scan.read / scan.total}
        />
      ) : null}
      <p className={classes.project}>
        {knownText(dependencies.length, scan)}
        {dependencies.length > 0 && dependentHref !== null ? (
          <>
            {' '}
            <Link className="link" to={dependentHref}>
              Show only these issues
            </Link>
          </>
        ) : null}{' '}
        <DismissedButton projectId={projectId} />
      </p>
    </>
  );
}
