import { Client, type PoolConfig } from 'pg';

/** Does something over a connection of its own, which ends with it; `name` is what the database calls it. */
export async function withClient<T>(
  connection: PoolConfig,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ ...connection, application_name: `winnow ${name}` });
  // Whoever waits for the connection is told by the failing query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
