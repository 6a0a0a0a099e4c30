import type { BuiltinAction } from '@winnow/contract/flow';
import type { Action } from './action.ts';
import { checkReadiness } from './check-readiness.ts';
import { findDependencies } from './find-dependencies.ts';
import { flagDuplicates } from './flag-duplicates.ts';
import { reportBacklog } from './report-backlog.ts';
import { suggestAssignee } from './suggest-assignee.ts';
import { suggestLabels } from './suggest-labels.ts';

/** Implementation of each built-in action. */
export const ACTIONS: Readonly<Record<BuiltinAction, Action>> = {
  flag_duplicates: flagDuplicates,
  check_readiness: checkReadiness,
  suggest_labels: suggestLabels,
  suggest_assignee: suggestAssignee,
  find_dependencies: findDependencies,
  report_backlog: reportBacklog,
};
