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
 * Invalidates pairs and scores, which another model may judge, and waits only for the list of
 * models.
 */
async function refreshAfterChange(cache: QueryClient): Promise<void> {
  for (const { all } of [queryKeys.pairs, queryKeys.compliance]) {
    void cache.invalidateQueries({ queryKey: all });
  }
  await cache.invalidateQueries({ queryKey: queryKeys.aiModels.all });
}

/** Input of a save: a new model, or an update of an existing one. */
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
      // Flows that use the model must show that it is deleted.
      void cache.invalidateQueries({ queryKey: queryKeys.flows.all });
      return refreshAfterChange(cache);
    },
  });
}

/** Sends a short test prompt to a model with the values of the form, without saving. */
export function useTestModel() {
  return useMutation({
    mutationFn: (body: AiModelTest) => api('POST', '/ai-models/test', { body, schema: aiModelTestResult }),
  });
}

/** Tests a stored model and ends its pause if it responds. */
export function useResumeModel() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: AiModel) =>
      api('POST', `/ai-models/${id}/resume`, { body: {}, schema: aiModelTestResult }),
    onSuccess: () => refreshAfterChange(cache),
  });
}

/** Returns the estimated calls and cost of using a model for reviews and scores. */
export function useEstimate(request: AiModelEstimateRequest) {
  return useQuery({
    queryKey: queryKeys.aiModels.estimate(request),
    queryFn: ({ signal }) =>
      api('POST', '/ai-models/estimate', { body: request, schema: aiModelEstimate, signal }),
    staleTime: 0,
  });
}

/** Returns the built-in price list. */
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
