import { useMutation } from '@tanstack/react-query';
import type { ComplianceRun, ComplianceRunPreview } from '@winnow/contract/compliance';
import type { StatusFilter } from '@winnow/contract/issue';
import { useState } from 'react';
import { useOneAtATime } from '../../../api/query/one-at-a-time.ts';
import { ApiError, sentenceOf } from '../../../api/session/api-error.ts';
import { showToast } from '../../../ui/toasts/toast.tsx';
import {
  isRunning,
  previewScoring,
  type Scored,
  useRuns,
  useStartScoring,
  useStopScoring,
} from './queries.ts';

/** What is asked before a language model scores; it stays there while the dialog fades away. */
type AskedScoring = { scored: Scored; preview: ComplianceRunPreview; opened: boolean };

/** Scoring whole projects: what goes on, and beginning and stopping it. */
export type Scoring = {
  /** The newest run of a project. */
  runOf: (projectId: string) => ComplianceRun | undefined;
  running: readonly ComplianceRun[];
  /** Begins at once; where a language model judges it asks before. */
  start: (projectIds: readonly string[]) => void;
  /** What takes part in `start`, while it is being found out what that takes. */
  starting: readonly string[];
  stop: (runs: readonly ComplianceRun[]) => void;
  stopping: boolean;
  asked: AskedScoring | null;
  /** Why it could not begin after it was confirmed. */
  error: unknown;
  confirming: boolean;
  confirm: () => void;
  cancel: () => void;
};

function failed(error: unknown): void {
  showToast({ id: 'scoring', kind: 'failed', text: sentenceOf(error) });
}

/** Follows and begins the scoring of whole projects. Null waits for the prompt. */
export function useScoring(promptId: string | null, status: StatusFilter): Scoring {
  const { data } = useRuns(promptId);
  const runs = data?.runs ?? [];
  const [asked, setAsked] = useState<AskedScoring | null>(null);
  const close = () => setAsked((before) => before && { ...before, opened: false });
  const begin = useOneAtATime(useStartScoring());
  const confirmed = useOneAtATime(useStartScoring());
  const stopping = useOneAtATime(useStopScoring());
  const looking = useOneAtATime(
    useMutation({
      mutationFn: previewScoring,
      onSuccess: (preview, scored) => {
        confirmed.reset();
        setAsked({ scored, preview, opened: true });
      },
      onError: failed,
    }),
  );
  const isStarting = begin.isPending || looking.isPending;
  return {
    runOf: (projectId) => runs.find(({ project_id }) => project_id === projectId),
    running: runs.filter(isRunning),
    start: (projectIds) => {
      if (promptId === null) return;
      const scored = { prompt_name: promptId, project_ids: projectIds, status };
      begin.mutate(
        { ...scored, most_calls: 0 },
        {
          // No call was agreed to, and some are needed: that is asked first.
          onError: (error) =>
            error instanceof ApiError && error.code === 'more_calls' ? looking.mutate(scored) : failed(error),
        },
      );
    },
    starting: isStarting ? (begin.variables?.project_ids ?? []) : [],
    stop: (stopped) => stopping.mutate(stopped, { onError: failed }),
    stopping: stopping.isPending,
    asked,
    error: confirmed.error,
    confirming: confirmed.isPending,
    confirm: () => {
      if (asked === null) return;
      confirmed.mutate({ ...asked.scored, most_calls: asked.preview.calls }, { onSuccess: close });
    },
    cancel: close,
  };
}
