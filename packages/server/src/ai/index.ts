// Public interface of this feature. Other features may import only this file.
export {
  type AgentCall,
  type AgentMessage,
  type AgentTool,
  type AgentTurn,
  type AgentTurnRequest,
  toolResultMessage,
  userMessage,
} from './agent-turn.ts';
export { type BuiltInAnalyst, ModelAnalyst, type PairToJudge } from './analyst.ts';
export { replacedModel } from './built-in-fallback.ts';
export type { CostBudget, QuestionCost } from './cost-budget.ts';
export type { Questions } from './estimate.ts';
export { createFence, type Fence, MAX_SHOWN_CHARS, visible } from './fence.ts';
export {
  InferenceCache,
  type InferenceState,
  type InferenceStore,
  isOpen,
  type Question,
  type StoredInference,
} from './inference-cache.ts';
export type { LanguageModels, StoredModel } from './model.ts';
export { ModelError, type ModelErrorKind } from './model-error.ts';
export { plainLine, plainReason } from './plain-text.ts';
export { CHARACTERS_PER_TOKEN, likelyCost, type Price } from './prices.ts';
export { deconflictIssuesPrompt } from './prompts/deconflict-issues.ts';
export { evaluateIssuePrompt } from './prompts/evaluate-issue.ts';
export { findDependenciesPrompt } from './prompts/find-dependencies.ts';
export { improveIssuePrompt } from './prompts/improve-issue.ts';
export { judgePairPrompt } from './prompts/judge-pair.ts';
export { mergeIssuesPrompt } from './prompts/merge-issues.ts';
export type { Prompt } from './prompts/prompt.ts';
export { dataRule } from './prompts/rules.ts';
export { questionHash } from './question-hash.ts';
export { questionSelector } from './question-selector.ts';
export { type QuotedTexts, quoteIn } from './quotes.ts';
export { redactSecret } from './redact-secret.ts';
export type { AiModels, DefaultModel } from './service.ts';
export { findModel, modelNames, offeredModelIds } from './store.ts';
export { TextGenerator, type TextStore } from './text-generation.ts';
