import { setTimeout as pause } from 'node:timers/promises';
import { rateLimited } from '../../platform/errors.ts';

/** Maximum exports in one process. Each holds a database connection while it is downloaded. */
const MAX_CONCURRENT_EXPORTS = 6;
/** Maximum wait of an export for a free slot before it is refused. */
const MAX_SLOT_WAIT_MS = 20_000;
const POLL_MS = 250;
const RETRY_AFTER_SECONDS = 30;
/**
 * Interval over which a download's speed is measured. Before the first interval ends, the speed is
 * unknown and the download is not canceled.
 */
const SPEED_WINDOW_MS = 15_000;
/**
 * Minimum speed before compression, in bytes per second. While others wait, a slower download loses
 * its slot. The value is about 100 kbit/s on the network, far below a slow connection.
 */
const MIN_BYTES_PER_SECOND = 100_000;

export interface ExportSlot {
  /** Reports bytes that the client has read, before compression. */
  reportBytesRead(bytes: number): void;
  release(): void;
}

interface Download {
  /**
   * Start of the measured interval. Null before the first byte is read: until then the database
   * computes the size of the export, for however long that takes.
   */
  sinceMs: number | null;
  bytes: number;
  speed: number | null;
  cut: (error: Error) => void;
}

/** Limits the concurrent exports of one process, and cancels slow downloads while others wait. */
export class ExportSlots {
  readonly #downloads = new Set<Download>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /**
   * Takes a slot. While none is free, cancels the slowest download if it is below the minimum
   * speed; otherwise waits.
   * @throws {AppError} `rate_limited` if no slot becomes free
   */
  async acquire(cut: (error: Error) => void): Promise<ExportSlot> {
    const endsAtMs = this.#nowMs() + MAX_SLOT_WAIT_MS;
    while (this.#downloads.size >= MAX_CONCURRENT_EXPORTS) {
      if (this.#nowMs() >= endsAtMs) throw rateLimited(RETRY_AFTER_SECONDS);
      const slowest = this.#slowest();
      if (slowest === null) await pause(POLL_MS);
      else {
        this.#downloads.delete(slowest);
        slowest.cut(
          new Error('The export was stopped: the client reads too slowly while other exports wait.'),
        );
      }
    }
    const download: Download = { sinceMs: null, bytes: 0, speed: null, cut };
    this.#downloads.add(download);
    return {
      reportBytesRead: (bytes) => {
        download.bytes += bytes;
        download.sinceMs ??= this.#nowMs();
        const elapsedMs = this.#nowMs() - download.sinceMs;
        if (elapsedMs < SPEED_WINDOW_MS) return;
        download.speed = (download.bytes / elapsedMs) * 1_000;
        download.sinceMs = this.#nowMs();
        download.bytes = 0;
      },
      release: () => void this.#downloads.delete(download),
    };
  }

  /** Returns the slowest download if it is too slow to keep its slot. */
  #slowest(): Download | null {
    const measured = [...this.#downloads].map((download) => ({ download, speed: this.#speedOf(download) }));
    const [slowest] = measured.toSorted((one, other) => one.speed - other.speed);
    return slowest !== undefined && slowest.speed < MIN_BYTES_PER_SECOND ? slowest.download : null;
  }

  #speedOf({ sinceMs, bytes, speed }: Download): number {
    const elapsedMs = sinceMs === null ? 0 : this.#nowMs() - sinceMs;
    if (elapsedMs < SPEED_WINDOW_MS) return speed ?? Number.POSITIVE_INFINITY;
    return (bytes / elapsedMs) * 1_000;
  }
}
