import { Button } from '@mantine/core';
import { MAX_DESCRIPTION_CHARS } from '@winnow/contract/change';
import type { CompliancePrompt, ComplianceTrialResult } from '@winnow/contract/compliance';
import type { Issue } from '@winnow/contract/issue';
import classes from './improve.module.css';
import { checklistInsertion, type Insertion, missingSections, templateInsertion } from './questions.ts';
import { templateKind, templateSections } from './template.ts';

const TEMPLATE_NAMES = { bug: 'bug report', feature: 'feature', task: 'task' };

export type InsertQuestionsProps = {
  issue: Pick<Issue, 'issue_type'>;
  prompt: CompliancePrompt;
  criteria: ComplianceTrialResult['criteria'];
  description: string;
  disabled: boolean;
  onInsert: (insertion: Insertion) => void;
};

/**
 * Buttons that insert text into the description: all open questions, or a template for missing
 * sections.
 */
export function InsertQuestions(props: InsertQuestionsProps) {
  const { issue, prompt, criteria, description, disabled, onInsert } = props;
  const questions = criteria.flatMap(({ fix }) => (fix === null ? [] : [fix]));
  const checklist = withinLengthLimit(description, checklistInsertion(description, questions));
  const kind = templateKind(issue.issue_type);
  const sections = templateSections(kind, prompt, criteria);
  const missing = missingSections(description, sections);
  const template = withinLengthLimit(description, templateInsertion(description, sections));
  if (checklist === null && template === null) return null;
  return (
    <div className={classes.insert}>
      {checklist === null ? null : (
        <Button size="xs" disabled={disabled} onClick={() => onInsert(checklist)}>
          Insert the questions as a checklist
        </Button>
      )}
      {template === null ? null : (
        <>
          <Button size="xs" disabled={disabled} onClick={() => onInsert(template)}>
            Insert a {TEMPLATE_NAMES[kind]} template
          </Button>
          <p className={classes.by}>Template: {missing.map(({ heading }) => heading).join(', ')}</p>
        </>
      )}
    </div>
  );
}

/** Returns the insertion, or null if it would make the description too long. */
function withinLengthLimit(description: string, insertion: Insertion | null): Insertion | null {
  const isTooLong = insertion !== null && description.length + insertion.text.length > MAX_DESCRIPTION_CHARS;
  return isTooLong ? null : insertion;
}
