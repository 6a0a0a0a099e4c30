// Public interface of this feature. Other features may import only this file.
export type { ActionHandler } from './action-handler.ts';
export { idempotencyKeyOf } from './change-request.ts';
export { changedSince } from './changed-since.ts';
export { editSteps, type ResultingTexts } from './edit-steps.ts';
export { haveSameText } from './edited-texts.ts';
export type { Actor, ChangeRecord, ChangeRequest, InitialStatus, KindHandler, Ledger } from './ledger.ts';
export { listWritesTo, type OwnWrite, type WritesInProgress, writesInProgress } from './own-write-store.ts';
export { baseHashesOf, type ChangePlan, type PlannedStep } from './plan.ts';
export { presentChange } from './present.ts';
export type { ActorOf } from './routes.ts';
export { targetOf } from './target.ts';
export { writeConflict } from './write-conflicts.ts';
