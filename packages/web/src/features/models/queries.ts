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

/** The account's language models, oldest first. */
export function useAiModels() {
  return useQuery({
    queryKey: queryKeys.aiModels.list(),
    queryFn: ({ signal }) => api('GET', '/ai-models', { schema: aiModelList, signal }),
  });
}

/** Another model may judge from now on. The list of models is waited for. */
async function refreshAfterChange(cache: QueryClient): Promise<void> {
  for (const { all } of [queryKeys.pairs, queryKeys.compliance]) {
    void cache.invalidateQueries({ queryKey: all });
  }
  await cache.invalidateQueries({ queryKey: queryKeys.aiModels.all });
}

/** What a save sends: a new model, or changes to one. */
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

/** Lets a model work for the account, or takes the work from it. */
export function useSetDefault() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ model: { id }, is_default }: { model: AiModel; is_default: boolean }) =>
      api('PUT', `/ai-models/${id}`, { body: { is_default }, schema: aiModel }),
    onSuccess: () => refreshAfterChange(cache),
  });
}

/** Removes a model. */
export function useDeleteModel() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: AiModel) => api('DELETE', `/ai-models/${id}`).catch(unlessGone),
    onSuccess: () => {
      // A flow that has it says that it is gone.
      void cache.invalidateQueries({ queryKey: queryKeys.flows.all });
      return refreshAfterChange(cache);
    },
  });
}

/** Asks a model for a word, with what is in the form. */
export function useTestModel() {
  return useMutation({
    mutationFn: (body: AiModelTest) => api('POST', '/ai-models/test', { body, schema: aiModelTestResult }),
  });
}

/** Tests a stored model as it is, and ends its pause when it answers. */
export function useResumeModel() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: AiModel) =>
      api('POST', `/ai-models/${id}/resume`, { body: {}, schema: aiModelTestResult }),
    onSuccess: () => refreshAfterChange(cache),
  });
}

/** The calls and the cost to expect from using a model for reviews and scores. */
export function useEstimate(request: AiModelEstimateRequest) {
  return useQuery({
    queryKey: queryKeys.aiModels.estimate(request),
    queryFn: ({ signal }) =>
      api('POST', '/ai-models/estimate', { body: request, schema: aiModelEstimate, signal }),
    staleTime: 0,
  });
}

/** The built-in list of prices. */
export function useModelPrices() {
  return useQuery({
    queryKey: queryKeys.aiModels.prices(),
    queryFn: ({ signal }) => api('GET', '/ai-models/prices', { schema: modelPrices, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Asks a provider for the names of its models. */
export function useProviderModels() {
  return useMutation({
    mutationFn: (body: ProviderModelsRequest) =>
      api('POST', '/ai-models/provider-models', { body, schema: providerModels }),
  });
}
