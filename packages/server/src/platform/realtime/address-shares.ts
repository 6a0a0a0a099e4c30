export interface AddressShareLimits {
  /** Maximum authenticated sockets per address (IPv6: per /64 network). */
  socketsPerAddress: number;
  /** Maximum unauthenticated sockets per address. A further one closes the oldest. */
  anonymousPerAddress: number;
}

/** Slot of one socket in the share of its address. */
export interface AddressPlace {
  /** Marks the socket as authenticated. Returns false if the address has reached its limit. */
  join(): boolean;
  leave(): void;
}

/**
 * Counts the sockets of each address. Unauthenticated sockets have a separate share, so they cannot
 * block signed-in users.
 */
export class AddressShares {
  readonly #limits: AddressShareLimits;
  readonly #joined = new Map<string, number>();
  /** Functions that close unauthenticated sockets by address, oldest first. */
  readonly #anonymous = new Map<string, Set<() => void>>();

  constructor(limits: AddressShareLimits) {
    this.#limits = limits;
  }

  /** Takes a slot for a new socket. `close` is called if the slot is needed for a newer one. */
  enter(address: string, close: () => void): AddressPlace {
    const others = this.#anonymous.get(address) ?? new Set();
    this.#anonymous.set(address, others);
    const [oldest] = others;
    if (oldest !== undefined && others.size >= this.#limits.anonymousPerAddress) {
      others.delete(oldest);
      oldest();
    }
    others.add(close);
    let hasJoined = false;
    const leaveOthers = () => {
      const left = this.#anonymous.get(address);
      left?.delete(close);
      if (left?.size === 0) this.#anonymous.delete(address);
    };
    return {
      join: () => {
        if (hasJoined) return true;
        const joined = this.#joined.get(address) ?? 0;
        if (joined >= this.#limits.socketsPerAddress) return false;
        leaveOthers();
        this.#joined.set(address, joined + 1);
        hasJoined = true;
        return true;
      },
      leave: () => {
        leaveOthers();
        if (!hasJoined) return;
        const joined = (this.#joined.get(address) ?? 1) - 1;
        if (joined === 0) this.#joined.delete(address);
        else this.#joined.set(address, joined);
      },
    };
  }
}
