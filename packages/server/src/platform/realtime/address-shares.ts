export interface AddressShareLimits {
  /** Open sockets of one address (IPv6: of one /64 network) that have authenticated. */
  socketsPerAddress: number;
  /** Open sockets of one address that have not. One more closes the oldest of them. */
  anonymousPerAddress: number;
}

/** The place of one socket in its address's share. */
export interface AddressPlace {
  /** The socket has authenticated. False if the address has as many such sockets as it may. */
  join(): boolean;
  leave(): void;
}

/**
 * Counts the sockets of each address. Those that have not authenticated have a share of their own, so that they never keep
 * a signed-in user out.
 */
export class AddressShares {
  readonly #limits: AddressShareLimits;
  readonly #joined = new Map<string, number>();
  /** How to close each socket that has not authenticated, the oldest first. */
  readonly #anonymous = new Map<string, Set<() => void>>();

  constructor(limits: AddressShareLimits) {
    this.#limits = limits;
  }

  /** Takes a place for a new socket; `close` closes it when its place is needed for another. */
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
