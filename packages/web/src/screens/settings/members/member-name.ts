import type { Member } from '@winnow/contract/workspace';

/** Name of a member for display. */
export function memberName({ full_name, username }: Pick<Member, 'full_name' | 'username'>): string {
  return full_name || username;
}
