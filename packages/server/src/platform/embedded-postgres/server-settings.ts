/** The socket's port number; it only names the socket file, nothing listens on TCP. */
export const SOCKET_PORT = 5432;

/**
 * The environment of PostgreSQL's programs. They get none of ours: a stray PGOPTIONS or LC_ALL would change them.
 * Windows programs do not start without theirs.
 */
export function serverEnvironment(): { env?: Record<string, string> } {
  if (process.platform === 'win32') return {};
  return { env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' } };
}

/**
 * The settings of the server, small enough for a laptop. They are passed on its command line, so they change with the
 * code and not with the files. `durable: false` is for tests: it does not wait for the disk.
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
    // Two cores are shared with Node; helpers of one query would only take from the others.
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    io_method: 'sync',
    max_logical_replication_workers: '0',
    max_wal_size: '512MB',
    random_page_cost: '1.1',
    jit: 'off',
    huge_pages: 'off',
    // A query whose caller is gone is not worth finishing; Windows cannot tell.
    client_connection_check_interval: process.platform === 'win32' ? '0' : '10s',
    // Failed statements reach whoever sent them; repeated here they would bring people's data into the log.
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
