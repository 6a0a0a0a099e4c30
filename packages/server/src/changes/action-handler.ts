import type { PlannedStep } from './plan.ts';

/**
 * Carries out the steps of an action that no tracker performs. Composition registers it with the
 * ledger.
 */
export interface ActionHandler {
  /**
   * Throws if the step cannot be carried out at present. Called on approval; may take some time.
   */
  expectReady(accountId: string, step: PlannedStep): Promise<void>;
  /**
   * Carries a step out and returns its result. Called at most once per step, since an interrupted
   * call cannot be resumed.
   *
   * @throws {AppError} if nothing was done. The signal's reason when it is aborted.
   */
  perform(
    accountId: string,
    step: PlannedStep,
    signal: AbortSignal,
  ): Promise<{ text: string; isError: boolean }>;
}
