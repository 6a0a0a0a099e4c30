import { type AiModel, aiModel } from '@winnow/contract/ai-model';
import { tracker } from '@winnow/contract/tracker';
import { type Account, connect, whenCompared } from '@winnow/tools/browser/account.ts';
import type { ModelsEmulator } from '@winnow/tools/emulators/models/emulator.ts';
import type { GitHub } from '../fixtures/github.ts';

/** Connects the small backlog of the emulated GitHub, and answers how to have what happens in it heard of. */
export async function connectSmall(account: Account, { small, emulator }: GitHub) {
  const { id, name } = await connect(account, {
    name: 'Kitchen',
    type: 'github',
    url: emulator.url,
    api_key: small.token,
    scope_rules: [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: small.owner }],
    config: {},
  });
  await whenCompared(account);
  return {
    name,
    /** Has it read what is new, since no webhook reaches the product here. */
    hear: () => account.api.send('POST', `/trackers/${id}/sync`, undefined, tracker),
  };
}

/** Stores a model that the emulator answers for. */
export function addModel({ api }: Account, models: ModelsEmulator, name: string): Promise<AiModel> {
  const fields = {
    name,
    provider_name: 'custom',
    model_identifier: 'local',
    api_url: models.urlOf('custom'),
  };
  return api.send('POST', '/ai-models', fields, aiModel);
}
