import type { ConnectableTrackerType } from '@winnow/contract/tracker';
import type { Exchange } from '@winnow/emulators/http/host';
import { loadConformance } from '@winnow/emulators/testing/conformance/conformance';

/** A tracker's API description, for checking an emulator and its clients. */
export interface Description {
  /** Pass this to the emulator. */
  onExchange: (exchange: Exchange) => void;
  /** @throws {Error} if a request or response violated the description */
  expectConformance(): void;
}

const NAMES = { github: 'GitHub', gitlab: 'GitLab', jira: 'Jira' };

/** Loads our own schemas of a tracker's calls, and its official description if it is present. */
export async function descriptionOf(type: ConnectableTrackerType): Promise<Description> {
  const faultsOf = await loadConformance(type);
  const faults: string[] = [];
  return {
    onExchange: (exchange) => faults.push(...faultsOf(exchange)),
    expectConformance() {
      if (faults.length === 0) return;
      throw new Error(`Not as ${NAMES[type]} describes it: ${faults.slice(0, 5).join('; ')}`);
    },
  };
}
