import { BuiltInAnalyst, ModelAnalyst } from '../ai/analyst.ts';
import { recordCall } from '../ai/call-store.ts';
import type { CostBudget } from '../ai/cost-budget.ts';
import { LanguageModels } from '../ai/model.ts';
import { ModelCaps } from '../ai/model-caps.ts';
import { ModelHealth } from '../ai/model-health.ts';
import { registerAiModelRoutes } from '../ai/routes.ts';
import { AiModels, type DefaultModel } from '../ai/service.ts';
import { TextGenerator } from '../ai/text-generation.ts';
import type { Ledger } from '../changes/ledger.ts';
import { Evaluations } from '../compliance/evaluations.ts';
import { createModelEvaluations } from '../compliance/evaluations-by-model.ts';
import { RuleEvaluations } from '../compliance/evaluations-by-rules.ts';
import { expectedScores } from '../compliance/expected-scores.ts';
import { improvementsIn } from '../compliance/improvement-store.ts';
import { Improvements } from '../compliance/improvements.ts';
import { Prompts } from '../compliance/prompts.ts';
import { ComplianceRuns } from '../compliance/runs.ts';
import { Compliance } from '../compliance/service.ts';
import { createModelFindings } from '../dependencies/model-findings.ts';
import { agreementWithPeople } from '../duplicates/agreement.ts';
import { expectedReviews } from '../duplicates/expected-reviews.ts';
import { scorePairs } from '../duplicates/pair-likelihood.ts';
import { Suggestions } from '../duplicates/suggestions.ts';
import { ModelWriter } from '../duplicates/suggestions-by-model.ts';
import { Verdicts } from '../duplicates/verdicts.ts';
import { createModelVerdicts } from '../duplicates/verdicts-by-model.ts';
import { analysisProgress } from '../issues/analysis-state-store.ts';
import type { Issues } from '../issues/service.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import type { Billing } from './billing.ts';
import type { Foundation } from './foundation.ts';

export type AnalystServices = ReturnType<typeof composeAnalysts>;

export interface AnalystParts {
  issues: Issues;
  ledger: Ledger;
  billing: Pick<Billing, 'plans' | 'amounts'>;
}

/** Composes the built-in analyst, language models, and the features that judge issues with them. */
export function composeAnalysts(
  base: Foundation,
  { issues, ledger, billing: { plans, amounts } }: AnalystParts,
) {
  const { config, db, engine, log, now, publish, requests, secrets } = base;
  const publishVerdictsChanged = async (accountId: string) =>
    publish(accountId, { type: 'pairs_changed', ...(await analysisProgress(db, accountId)) });
  const publishScoresChanged = (accountId: string) => publish(accountId, { type: 'compliance_changed' });

  const onChanged = async (accountId: string) => publish(accountId, { type: 'ai_models_changed' });
  const health = new ModelHealth({
    db,
    now,
    onChanged: async (accountId) => {
      await onChanged(accountId);
      await publishVerdictsChanged(accountId);
      await publishScoresChanged(accountId);
    },
  });
  const caps = new ModelCaps({ db, now, onChanged });
  const takeForList = (accountId: string, modelId: string, wanted: number) =>
    caps.takeForList(accountId, modelId, wanted);
  const languageModels = new LanguageModels({
    fetch: base.fetchForModels,
    fetchOffered: base.fetchForOffered,
    health,
    caps,
    takeCall: (accountId) => amounts.take(accountId, 'ai_calls_monthly'),
    record: (call) => recordCall(db, call),
    now,
    log,
  });
  const aiModels = new AiModels({
    db,
    secrets,
    now,
    languageModels,
    health,
    fetch: base.fetchForModels,
    offered: config.aiModels,
    plans,
    expectedWork: async (accountId, model) => {
      const verdictsKnown = { db, builtIn: builtInAnalyst, languageModels, verdicts: modelVerdicts };
      const [reviews, scores] = await Promise.all([
        expectedReviews(verdictsKnown, accountId, model),
        expectedScores({ db, prompts }, accountId, model),
      ]);
      return { reviews, scores };
    },
    agreementWithPeople: (accountId) => agreementWithPeople(db, accountId),
    onDefaultChanged: async (accountId) => {
      await requests.judging(accountId);
      await publishVerdictsChanged(accountId);
      await publishScoresChanged(accountId);
    },
  });
  /**
   * Returns the default model. Its calls are charged to `budget`. `model` is null if the budget is
   * used up.
   */
  const defaultOf = async (accountId: string, budget: CostBudget | null): Promise<DefaultModel> => {
    const { model, absence } = await aiModels.defaultOf(accountId);
    if (model === null || budget?.reserve(0) === false) return { model: null, absence: null };
    return { model: { ...model, budget }, absence };
  };
  /** Returns the default model, or null if it is unavailable. Its calls are charged to `budget`. */
  const modelOf = async (accountId: string, budget: CostBudget | null) => {
    const { model, absence } = await defaultOf(accountId, budget);
    return absence === null ? model : null;
  };

  const builtInAnalyst = new BuiltInAnalyst((accountId, pairs) => engine.call('judge', { accountId, pairs }));
  const modelAnalystOf = async (accountId: string) => {
    const model = await modelOf(accountId, null);
    return model && new ModelAnalyst(builtInAnalyst, languageModels, model);
  };
  const modelVerdicts = createModelVerdicts({ db, now, log, onJudged: publishVerdictsChanged });
  const verdicts = new Verdicts({
    db,
    ledger,
    now,
    builtIn: builtInAnalyst,
    score: (accountId, pairs) => scorePairs(engine, accountId, pairs),
    defaultOf: async (accountId, budget) => {
      const found = await defaultOf(accountId, budget);
      const analyst = found.model && new ModelAnalyst(builtInAnalyst, languageModels, found.model);
      return { ...found, analyst };
    },
    takeForList,
    byModel: modelVerdicts,
  });
  const { author } = builtInAnalyst;
  const writer = new ModelWriter({
    db,
    now,
    builtIn: {
      merge: async (accountId, issues) => ({
        ...(await engine.call('suggestMerge', { accountId, ...issues })),
        author,
      }),
      deconflict: async (accountId, issues) => ({
        ...(await engine.call('suggestDeconflict', { accountId, ...issues })),
        author,
      }),
    },
    languageModels,
    modelOf,
  });
  const suggestions = new Suggestions({ db, writer });

  const prompts = new Prompts({ db, plans });
  const evaluationsByRules = new RuleEvaluations({
    db,
    now,
    judge: (evaluated, criteria) => engine.call('evaluate', { issues: [...evaluated], criteria }),
    onEvaluated: publishScoresChanged,
    log,
  });
  const evaluations = new Evaluations({
    db,
    now,
    prompts,
    byRules: evaluationsByRules,
    byModel: createModelEvaluations({
      db,
      now,
      log,
      languageModels,
      byRules: evaluationsByRules,
      onEvaluated: publishScoresChanged,
    }),
    languageModels,
    modelOf,
    defaultOf,
    takeForList,
  });
  const improvements = new Improvements({
    issues,
    prompts,
    judging: evaluationsByRules,
    byRules: (issue, evaluation, criteria) => engine.call('improve', { issue, evaluation, criteria }),
    writing: new TextGenerator({
      now,
      languageModels,
      feature: 'suggestion',
      modelOf,
      store: improvementsIn(db),
    }),
  });
  const compliance = new Compliance({ db, issues, ledger, prompts, defaultOf });
  const complianceRuns = new ComplianceRuns({
    db,
    now,
    issues,
    prompts,
    evaluations,
    modelOf,
    requestRun: requests.scoring,
    onProgress: publishScoresChanged,
  });

  const modelFindings = createModelFindings({
    db,
    now,
    log,
    languageModels,
    onFound: (accountId) => publish(accountId, { type: 'dependencies_changed' }),
  });

  return {
    aiModels,
    languageModels,
    builtInAnalyst,
    modelOf,
    modelFindings,
    modelAnalystOf,
    modelVerdicts,
    verdicts,
    suggestions,
    prompts,
    evaluations,
    improvements,
    compliance,
    complianceRuns,
    registerRoutes: (app: App, auth: Authentication) => registerAiModelRoutes(app, aiModels, auth, now),
    /** Aborts calls to language models and waits until they have ended. */
    async close(): Promise<void> {
      const claimsReleased = [modelVerdicts.close(), evaluations.close(), modelFindings.close()];
      languageModels.close();
      await Promise.all(claimsReleased);
    },
  };
}
