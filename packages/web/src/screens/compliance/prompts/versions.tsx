import { Button } from '@mantine/core';
import type { CompliancePrompt, CompliancePromptVersion } from '@winnow/contract/compliance';
import { scoreText } from '../../../features/compliance/score.ts';
import { RelativeTime } from '../../../ui/texts/relative-time.tsx';
import classes from './prompts.module.css';
import { usePromptVersions } from './queries.ts';

function criteriaText({ criteria }: CompliancePromptVersion): string {
  return criteria.map(({ name, weight }) => `${name} ${scoreText(weight)}`).join(', ');
}

export type VersionsProps = {
  prompt: CompliancePrompt;
  /** True if the form has unsaved changes. Restoring a version would overwrite them. */
  dirty: boolean;
  /** Called with a previous version, to load it into the form. */
  onRestore: (version: CompliancePromptVersion) => void;
};

/**
 * Lists the versions of a prompt, with buttons that load a version into the form. Renders nothing
 * if the prompt has fewer than two versions.
 */
export function Versions({ prompt, dirty, onRestore }: VersionsProps) {
  const { data: versions = [] } = usePromptVersions(prompt.id);
  if (versions.length < 2) return null;
  return (
    <section className={classes.versions} aria-label="Versions">
      <h3 className={classes.listHead}>Versions</h3>
      <ol>
        {versions.map((version, index) => (
          <li key={version.version}>
            <span>
              Version {version.version}
              {index === 0 ? ', in use' : ''}
              {version.created_at === null ? null : (
                <>
                  , <RelativeTime at={version.created_at} />
                </>
              )}
            </span>
            <span className={classes.note}>{criteriaText(version)}</span>
            {index === 0 || dirty ? null : (
              <Button
                size="xs"
                aria-label={`Restore version ${version.version}`}
                onClick={() => onRestore(version)}
              >
                Restore
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p className={classes.note} role="status">
        {dirty
          ? 'Save or cancel your changes to restore another version.'
          : 'Restore loads a version into the form. It takes effect when you save it.'}
      </p>
    </section>
  );
}
