export interface Answer {
  status: number;
  headers: Headers;
  /** parsed when it is JSON, else the text */
  body: unknown;
}

/** A client that is nothing but `fetch`. Redirects are not followed; the token goes along as a Bearer. */
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
