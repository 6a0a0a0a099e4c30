import type { PlannedStep } from './plan.ts';

/**
 * Performs steps of an action that no tracker performs, such as calls of external tools. The
 * composition root registers the handler with the ledger.
 */
export interface ActionHandler {
  /**
   * Throws if the step currently cannot be performed. Called on approval; may take several seconds.
   */
  expectReady(accountId: string, step: PlannedStep): Promise<void>;
  /**
   * Performs a step and returns its result. Called at most once per step, because an interrupted
   * call cannot be resumed.
   *
   * @throws {AppError} if nothing was done
   * @throws the signal's abort reason if the signal is aborted
   */
  perform(
    accountId: string,
    step: PlannedStep,
    signal: AbortSignal,
  ): Promise<{ text: string; isError: boolean }>;
}
