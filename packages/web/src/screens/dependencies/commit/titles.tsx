import type { Dependency } from '@winnow/contract/dependency';
import type { DependencyActions } from '../badges/dependency-details.tsx';
import classes from './commit.module.css';

/** Titles of both issues of a dependency. Renders nothing if a title is unknown. */
export function Titles({
  dependency,
  issueOf,
}: { dependency: Dependency } & Pick<DependencyActions, 'issueOf'>) {
  const [source, dependent] = [issueOf(dependency.source_issue_id), issueOf(dependency.dependent_issue_id)];
  if (source === undefined || dependent === undefined) return null;
  return (
    <p className={classes.titles} dir="auto">
      {source.title} <span aria-hidden="true">→</span>
      <span className="vh">blocks</span> {dependent.title}
    </p>
  );
}
