import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type AiModel,
  type AiModelCreate,
  type AiModelEstimateRequest,
  type AiModelTest,
  type AiModelUpdate,
  aiModel,
  aiModelEstimate,
  aiModelList,
  aiModelTestResult,
  modelPrices,
  type ProviderModelsRequest,
  providerModels,
} from '@winnow/contract/ai-model';
import { queryKeys } from '../../api/query/query-keys.ts';
import { unlessGone } from '../../api/session/api-error.ts';
import { api } from '../../api/session/session.ts';

/** Returns the language models of the account, oldest first. */
export function useAiModels() {
  return useQuery({
    queryKey: queryKeys.aiModels.list(),
    queryFn: ({ signal }) => api('GET', '/ai-models', { schema: aiModelList, signal }),
  });
}

/**
 * Invalidates the queries that a changed model affects, such as pairs and scores. Waits only until
 * the list of models is refetched.
 */
async function refreshAfterChange(cache: QueryClient): Promise<void> {
  for (const { all } of [queryKeys.pairs, queryKeys.compliance]) {
    void cache.invalidateQueries({ queryKey: all });
  }
  await cache.invalidateQueries({ queryKey: queryKeys.aiModels.all });
}

/** Request to save a model: creates a model, or updates an existing one. */
export type SaveInput = { body: AiModelCreate } | { modelId: string; body: AiModelUpdate };

export function useSaveModel() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: SaveInput) =>
      'modelId' in input
        ? api('PUT', `/ai-models/${input.modelId}`, { body: input.body, schema: aiModel })
        : api('POST', '/ai-models', { body: input.body, schema: aiModel }),
    onSuccess: () => refreshAfterChange(cache),
  });
}

/** Sets or unsets the default model of the account. */
export function useSetDefault() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ model: { id }, is_default }: { model: AiModel; is_default: boolean }) =>
      api('PUT', `/ai-models/${id}`, { body: { is_default }, schema: aiModel }),
    onSuccess: () => refreshAfterChange(cache),
  });
}

export function useDeleteModel() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: AiModel) => api('DELETE', `/ai-models/${id}`).catch(unlessGone),
    onSuccess: () => {
      // Invalidate flows, so that flows with this model show that it was deleted.
      void cache.invalidateQueries({ queryKey: queryKeys.flows.all });
      return refreshAfterChange(cache);
    },
  });
}

/** Sends a short test prompt to a model, with the unsaved values of the form. */
export function useTestModel() {
  return useMutation({
    mutationFn: (body: AiModelTest) => api('POST', '/ai-models/test', { body, schema: aiModelTestResult }),
  });
}

/** Tests a saved model, and ends its pause if the model responds. */
export function useResumeModel() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: AiModel) =>
      api('POST', `/ai-models/${id}/resume`, { body: {}, schema: aiModelTestResult }),
    onSuccess: () => refreshAfterChange(cache),
  });
}

/** Returns the estimated number of calls and the cost of a model used for reviews and scores. */
export function useEstimate(request: AiModelEstimateRequest) {
  return useQuery({
    queryKey: queryKeys.aiModels.estimate(request),
    queryFn: ({ signal }) =>
      api('POST', '/ai-models/estimate', { body: request, schema: aiModelEstimate, signal }),
    staleTime: 0,
  });
}

/** Returns the built-in price list of language models. */
export function useModelPrices() {
  return useQuery({
    queryKey: queryKeys.aiModels.prices(),
    queryFn: ({ signal }) => api('GET', '/ai-models/prices', { schema: modelPrices, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Lists the models that a provider offers. */
export function useProviderModels() {
  return useMutation({
    mutationFn: (body: ProviderModelsRequest) =>
      api('POST', '/ai-models/provider-models', { body, schema: providerModels }),
  });
}
