import { type AiModel, type AiModelCreate, aiModel } from '@winnow/contract/ai-model';
import type { ModelsEmulator } from '@winnow/emulators/models/emulator';
import type { Caller } from './caller.ts';

/**
 * Stores a language model that the emulator serves. It becomes the account's default, unless
 * `changes` overrides that.
 */
export function addModel(
  caller: Caller,
  models: Pick<ModelsEmulator, 'urlOf'>,
  changes: Partial<AiModelCreate> = {},
): Promise<AiModel> {
  const provider = changes.provider_name ?? 'custom';
  const fields = {
    name: 'Our model',
    provider_name: provider,
    model_identifier: 'local',
    api_url: models.urlOf(provider),
    is_default: true,
    ...changes,
  };
  return caller.send('POST', '/ai-models', fields, aiModel);
}
