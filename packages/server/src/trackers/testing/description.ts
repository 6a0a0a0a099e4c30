import type { ConnectableTrackerType } from '@winnow/contract/tracker';
import type { Exchange } from '@winnow/emulators/http/host';
import { loadConformance } from '@winnow/emulators/testing/conformance/conformance';

/** Published API description of a tracker. Tests check the emulator and its clients against it. */
export interface Description {
  /** Checks a request and its response. Pass it to the emulator. */
  onExchange: (exchange: Exchange) => void;
  /**
   * Fails if a request or response has violated the description.
   * @throws {Error} that describes the violations
   */
  expectConformance(): void;
}

const NAMES = { github: 'GitHub', gitlab: 'GitLab', jira: 'Jira' };

/**
 * Loads our own schemas of a tracker's API. Also loads the official description of the tracker if a
 * copy is present.
 */
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
