import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type CompliancePrompt,
  type CompliancePromptDraft,
  compliancePrompt,
  compliancePromptVersions,
  complianceResults,
} from '@winnow/contract/compliance';
import { queryKeys } from '../../../api/query/query-keys.ts';
import { unlessGone } from '../../../api/session/api-error.ts';
import { api } from '../../../api/session/session.ts';

/** Loads the versions of a custom prompt, newest first. */
export function usePromptVersions(promptId: string) {
  return useQuery({
    queryKey: [...queryKeys.compliancePrompts.all, promptId, 'versions'],
    queryFn: ({ signal }) =>
      api('GET', `/issue_compliance_prompts/${promptId}/versions`, {
        schema: compliancePromptVersions,
        signal,
      }),
  });
}

/** Saves a new prompt, or a new version of an existing one. */
export function useSavePrompt() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ promptId, draft }: { promptId: string | null; draft: CompliancePromptDraft }) =>
      promptId === null
        ? api('POST', '/issue_compliance_prompts', { body: draft, schema: compliancePrompt })
        : api('PUT', `/issue_compliance_prompts/${promptId}`, { body: draft, schema: compliancePrompt }),
    onSuccess: async () => {
      void cache.invalidateQueries({ queryKey: queryKeys.compliance.all });
      await cache.invalidateQueries({ queryKey: queryKeys.compliancePrompts.all });
    },
  });
}

/** Deletes a prompt and all its scores. */
export function useDeletePrompt() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: CompliancePrompt) =>
      api('DELETE', `/issue_compliance_prompts/${id}`).catch(unlessGone),
    onSuccess: () => cache.invalidateQueries({ queryKey: queryKeys.compliancePrompts.all }),
  });
}

/** Scores issues with an unsaved prompt. */
export function useTryPrompt() {
  return useMutation({
    mutationFn: (body: { prompt: CompliancePromptDraft; issue_ids: readonly string[] }) =>
      api('POST', '/issue_compliance_prompts/try', { body, schema: complianceResults }),
  });
}
