import type { LiveEvent } from '@winnow/contract/live';
import type { Tracker } from '@winnow/contract/tracker';
import { useEffect, useEffectEvent } from 'react';
import { queryClient } from '../query/query-client.ts';
import { queryKeys } from '../query/query-keys.ts';
import {
  accessToken,
  isSignedIn,
  leaveLostWorkspace,
  loseSession,
  onAuthChange,
  refreshSession,
  selectedWorkspace,
} from '../session/session.ts';
import { storeAnalysisProgress } from './analysis-progress.ts';
import { createLiveChannel } from './channel.ts';
import { trackingRefused, watchClicks } from './clicks.ts';
import { batchInvalidations } from './invalidate-soon.ts';
import { familiesTouchedBy } from './invalidations.ts';
import { readEvent } from './read-event.ts';
import { liveAddress, openWebSocket } from './web-socket.ts';

type Handler = (event: LiveEvent) => void;
const handlers = new Set<Handler>();

const invalidateSoon = batchInvalidations((families) => {
  for (const family of families) void queryClient.invalidateQueries({ queryKey: queryKeys[family].all });
}, Date.now);

/** Writes the progress of a sync into the cached tracker list, without a refetch. */
function patchTrackers(event: LiveEvent): void {
  if (event.type !== 'sync_progress') return;
  const { tracker_id, state, progress } = event;
  queryClient.setQueryData<Tracker[]>(queryKeys.trackers.list(), (cached) =>
    cached?.map((item) =>
      item.id === tracker_id ? { ...item, sync: { ...item.sync, state, progress } } : item,
    ),
  );
}

function deliver(event: LiveEvent): void {
  patchTrackers(event);
  if (event.type === 'pairs_changed') storeAnalysisProgress(event);
  invalidateSoon(familiesTouchedBy(event));
  for (const handler of handlers) handler(event);
}

/** Opens the live channel for the lifetime of the page. Call once. */
export function startLive(): void {
  const channel = createLiveChannel({
    open: (listener) => openWebSocket(liveAddress(), listener),
    token: accessToken,
    workspace: selectedWorkspace,
    onNotAMember: leaveLostWorkspace,
    renew: refreshSession,
    now: Date.now,
    random: Math.random,
    onMessage: (message) => {
      const event = readEvent(message);
      if (event !== null) deliver(event);
    },
    onReconnected: () => {
      storeAnalysisProgress(null);
      void queryClient.invalidateQueries();
    },
    onSessionLost: loseSession,
  });
  const clicksWanted = !trackingRefused(navigator);
  if (clicksWanted) watchClicks(channel.send);
  // The connection of a visitor only carries clicks. It is not opened if clicks are not tracked.
  const follow = () => {
    storeAnalysisProgress(null);
    if (isSignedIn() || clicksWanted) channel.restart();
    else channel.stop();
  };
  follow();
  onAuthChange(follow);
  window.addEventListener('online', channel.reconnectNow);
}

/** Calls `handler` for every event of a type while the component is mounted. */
export function useLiveEvent<T extends LiveEvent['type']>(
  type: T,
  handler: (event: Extract<LiveEvent, { type: T }>) => void,
): void {
  const latest = useEffectEvent(handler);
  useEffect(() => {
    const isWanted = (event: LiveEvent): event is Extract<LiveEvent, { type: T }> => event.type === type;
    const listener: Handler = (event) => {
      if (isWanted(event)) latest(event);
    };
    handlers.add(listener);
    return () => {
      handlers.delete(listener);
    };
  }, [type]);
}
