import type { Passkey } from '@winnow/contract/passkey';
import type { PasskeyRow } from '../passkeys/store.ts';

export function presentPasskey(passkey: PasskeyRow): Passkey {
  return {
    id: passkey.id,
    name: passkey.name,
    created_at: passkey.created_at.toISOString(),
    last_used_at: passkey.last_used_at?.toISOString() ?? null,
    synced: passkey.synced,
    password_required: passkey.password_required,
  };
}
