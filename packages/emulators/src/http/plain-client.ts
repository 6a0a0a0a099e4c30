export interface Answer {
  status: number;
  headers: Headers;
  /** parsed if it is JSON, otherwise the text */
  body: unknown;
}

/**
 * Returns a minimal client based on `fetch`. It follows no redirects and sends the token as a
 * Bearer.
 */
export function plainClient(base: string, token?: string) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(path.startsWith('http') ? path : `${base}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
}
