import { SessionLost } from '../session/session-lost.ts';
import { createLiveChannel } from './channel.ts';
import { trackingRefused, watchClicks } from './clicks.ts';
import { liveAddress, openWebSocket } from './web-socket.ts';

/**
 * Opens the live channel of the public pages. The channel only carries clicks, so it stays closed
 * if clicks are not tracked.
 */
export function startVisitorChannel(): void {
  if (trackingRefused(navigator)) return;
  const channel = createLiveChannel({
    open: (listener) => openWebSocket(liveAddress(), listener),
    token: () => null,
    renew: () => Promise.reject(new SessionLost()),
    now: Date.now,
    random: Math.random,
    onMessage: () => undefined,
    onReconnected: () => undefined,
    onSessionLost: () => undefined,
  });
  watchClicks(channel.send);
  channel.start();
}
