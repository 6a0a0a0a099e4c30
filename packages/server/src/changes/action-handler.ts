import type { PlannedStep } from './plan.ts';

/** Carries out the steps of an action that is no tracker's. Composition registers it with the ledger. */
export interface ActionHandler {
  /** Throws when a step cannot be carried out as things stand. Asked when somebody approves it; it may take some time. */
  expectReady(accountId: string, step: PlannedStep): Promise<void>;
  /**
   * Carries a step out and answers what came of it. It is called once for a step at most, since it cannot be told
   * afterwards how far it came. @throws {AppError} when nothing was done. The signal's reason when that is aborted.
   */
  perform(
    accountId: string,
    step: PlannedStep,
    signal: AbortSignal,
  ): Promise<{ text: string; isError: boolean }>;
}
