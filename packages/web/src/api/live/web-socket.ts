import type { Connection, ConnectionListener } from './channel.ts';

/** Returns the WebSocket URL of a live channel on this host. */
export function liveAddress(path = '/api/v1/ws'): URL {
  const address = new URL(path, window.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address;
}

/** Opens a {@link Connection} over the browser's WebSocket. */
export function openWebSocket(address: URL, listener: ConnectionListener): Connection {
  const socket = new WebSocket(address);
  socket.addEventListener('open', listener.opened);
  socket.addEventListener('message', ({ data }) => listener.heard(data));
  socket.addEventListener('close', ({ code }) => listener.closed(code));
  return {
    isOpen: () => socket.readyState === WebSocket.OPEN,
    send: (data) => socket.send(data),
    close: (code) => socket.close(code),
  };
}
