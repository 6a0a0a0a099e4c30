import { type Access, ROUTE_ACCESS } from '@winnow/contract/route-access';
import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import type { App } from '../app.ts';

/** Properties of a route that the API description needs. */
export interface DescribedRoute {
  method: string;
  /** Path of the route, with parameters as `:name`. */
  url: string;
  /** Undefined for a route that needs no token. */
  access: Access | undefined;
  tags: readonly string[];
  schema: {
    params?: z.ZodObject;
    querystring?: z.ZodObject;
    headers?: z.ZodObject;
    body?: z.ZodType;
  };
  /** Schemas of responses by HTTP status. Null for a response without a body. */
  responses: ReadonlyMap<number, z.ZodType | null>;
}

/** Records every route that is registered after this call, except hidden routes. */
export function noteRoutes(app: App): readonly DescribedRoute[] {
  const noted: DescribedRoute[] = [];
  app.addHook('onRoute', (route) => {
    if (route.schema === undefined || route.schema.hide === true) return;
    for (const method of [route.method].flat()) {
      if (method !== 'HEAD' && method !== 'OPTIONS') noted.push(describe(route, method));
    }
  });
  return noted;
}

function describe({ url, schema = {} }: RouteOptions, method: string): DescribedRoute {
  const { params, querystring, headers, body } = schema;
  return {
    method,
    url,
    access: schema.security === undefined ? (ROUTE_ACCESS[`${method} ${url}`] ?? 'self') : undefined,
    tags: schema.tags ?? [],
    schema: {
      ...(params instanceof z.ZodObject ? { params } : {}),
      ...(querystring instanceof z.ZodObject ? { querystring } : {}),
      ...(headers instanceof z.ZodObject ? { headers } : {}),
      ...(body instanceof z.ZodType ? { body } : {}),
    },
    responses: responsesOf(schema.response),
  };
}

function responsesOf(response: unknown): ReadonlyMap<number, z.ZodType | null> {
  if (typeof response !== 'object' || response === null) return new Map();
  return new Map(
    Object.entries(response).map(([status, schema]): [number, z.ZodType | null] => [
      Number(status),
      schema instanceof z.ZodType && !(schema instanceof z.ZodNull) ? schema : null,
    ]),
  );
}
