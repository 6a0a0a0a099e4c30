import { Button, Loader } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { ErrorState } from '../../../ui/states/error-state.tsx';
import classes from './suggestion-note.module.css';

export type SuggestionNoteProps = {
  suggestion: {
    /** Who wrote it, and where there is something to say about it, that. */
    data: { ai_model_name: string; explanation?: string } | undefined;
    error: unknown;
    isFetching: boolean;
    refetch: () => unknown;
  };
  /** Something else was typed in its place. */
  typed: boolean;
  onReset: () => void;
};

/** Who suggested the texts and why, while they are on their way, and the way back to them. */
export function SuggestionNote({ suggestion, typed, onReset }: SuggestionNoteProps) {
  const { data, error, refetch, isFetching } = suggestion;
  if (error !== null && data === undefined) {
    return (
      <ErrorState
        error={error}
        title="Failed to load suggestion."
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  if (data === undefined) {
    return (
      <p className={classes.note} role="status">
        <Loader size={14} aria-hidden /> Generating suggestion...
      </p>
    );
  }
  return (
    <div className={classes.note}>
      <IconSparkles size={14} stroke={1.75} aria-hidden />
      <p>
        Suggested by {data.ai_model_name}. {data.explanation}
      </p>
      {typed ? (
        <Button variant="transparent" color="accent" size="xs" onClick={onReset}>
          Use the suggestion
        </Button>
      ) : null}
    </div>
  );
}
