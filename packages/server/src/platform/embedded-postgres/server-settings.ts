/**
 * Port number in the name of the socket file. PostgreSQL requires one, although it does not listen
 * on TCP.
 */
export const SOCKET_PORT = 5432;

/**
 * Returns the environment variables for PostgreSQL's programs. Omits those of this process, because
 * PGOPTIONS or LC_ALL would change their behavior. On Windows, keeps them, since programs need them
 * to start.
 */
export function serverEnvironment(): { env?: Record<string, string> } {
  if (process.platform === 'win32') return {};
  return { env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' } };
}

/**
 * Returns server settings that suit a laptop. They are passed on the command line, so that a new
 * version of Winnow can change them without editing files. With `durable: false`, for tests, the
 * server does not wait for the disk.
 */
export function serverSettings(options: {
  address: { socketFolder: string } | { tcpPort: number };
  durable: boolean;
}): string[] {
  const { address, durable } = options;
  const settings: Record<string, string> = {
    ...('socketFolder' in address
      ? {
          listen_addresses: '',
          unix_socket_directories: address.socketFolder,
          unix_socket_permissions: '0700',
          port: String(SOCKET_PORT),
        }
      : { listen_addresses: '127.0.0.1', port: String(address.tcpPort) }),
    max_connections: '60',
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    // PostgreSQL shares two cores with Node. Parallel workers for one query would slow down other
    // queries.
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    io_method: 'sync',
    max_logical_replication_workers: '0',
    max_wal_size: '512MB',
    random_page_cost: '1.1',
    jit: 'off',
    huge_pages: 'off',
    // Cancels the query of a client that has disconnected. PostgreSQL does not support this on
    // Windows.
    client_connection_check_interval: process.platform === 'win32' ? '0' : '10s',
    // Does not log errors of statements: clients receive them, and the log could reveal user data.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_line_prefix: '',
    log_checkpoints: 'off',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(durable
      ? {}
      : {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          autovacuum: 'off',
          max_connections: '200',
        }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
