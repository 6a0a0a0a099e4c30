import { Client, type PoolConfig } from 'pg';

/**
 * Runs `work` on a dedicated connection and closes the connection afterwards. PostgreSQL lists the
 * connection under `name`.
 */
export async function withClient<T>(
  connection: PoolConfig,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ ...connection, application_name: `winnow ${name}` });
  // Without a listener, a lost connection would end the process. The next query rejects with the
  // error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
