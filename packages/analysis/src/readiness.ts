export { evaluate } from './readiness/evaluate.ts';
export { type ImprovedLineSource, type Improvement, improve } from './readiness/improve.ts';
export { type BuiltInCriterion, type BuiltInPrompt, builtInPrompts } from './readiness/prompts.ts';
export type {
  CheckId,
  Criterion,
  Estimate,
  EvaluatedIssue,
  Evaluation,
  Evidence,
  Finding,
} from './readiness/types.ts';
