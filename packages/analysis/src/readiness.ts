export { evaluate } from './readiness/evaluate.ts';
export { type Improvement, improve } from './readiness/improve.ts';
export { builtInPrompts } from './readiness/prompts.ts';
export type {
  Criterion,
  EvaluatedIssue,
  Evaluation,
  Evidence,
} from './readiness/types.ts';
