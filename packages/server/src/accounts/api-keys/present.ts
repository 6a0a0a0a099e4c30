import type { ApiKey, CreatedApiKey } from '@winnow/contract/api-key';
import type { ListedKey } from './service.ts';

/** Presents a stored key, without the key itself and its hash. */
export function presentApiKey(key: ListedKey): ApiKey {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    created_at: key.created_at.toISOString(),
    expires_at: key.expires_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    requests: key.requests,
  };
}

/** Presents a new key. The only response that contains the key itself. */
export function presentCreatedApiKey(row: ListedKey, key: string): CreatedApiKey {
  return { ...presentApiKey(row), key };
}
