import { z } from 'zod';
import type { Example } from './example.ts';
import { CHANGE_EXAMPLES } from './examples/changes.ts';
import { CLUSTER_EXAMPLES } from './examples/clusters.ts';
import { CONNECTION_EXAMPLES } from './examples/connections.ts';
import { ISSUE_EXAMPLES } from './examples/issues.ts';
import { PEOPLE_EXAMPLES } from './examples/people.ts';
import { WORKSPACE_EXAMPLES } from './examples/workspaces.ts';

/** Examples of the schemas of bodies and responses. */
export const EXAMPLES: readonly Example[] = [
  ...ISSUE_EXAMPLES,
  ...CLUSTER_EXAMPLES,
  ...CHANGE_EXAMPLES,
  ...CONNECTION_EXAMPLES,
  ...PEOPLE_EXAMPLES,
  ...WORKSPACE_EXAMPLES,
];

const BY_SCHEMA = new Map(EXAMPLES);

/**
 * Returns the example for a schema. For a list schema, returns a list with one example. Undefined
 * if the schema has no example.
 */
export function exampleOf(schema: z.ZodType): unknown {
  if (BY_SCHEMA.has(schema)) return BY_SCHEMA.get(schema);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return exampleOf(schema.unwrap() as z.ZodType);
  }
  if (!(schema instanceof z.ZodArray)) return undefined;
  const entry = exampleOf(schema.element as z.ZodType);
  return entry === undefined ? undefined : [entry];
}
