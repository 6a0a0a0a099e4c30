import type { z } from 'zod';

/** A schema with an example value that it accepts. */
export type Example = readonly [schema: z.ZodType, value: unknown];

/**
 * Creates an example. The compiler checks the type of the value, and a test parses the value with
 * the schema.
 */
export function example<S extends z.ZodType>(schema: S, value: z.input<S>): Example {
  return [schema, value];
}

/** Ids used in all examples, so that different examples refer to the same objects. */
export const IDS = {
  account: '0b7c1c9e-51f3-4f0e-9d0a-1f7d2f6f3a01',
  user: '4a0d7c52-8f0b-4d61-a2a5-62b8a0f5c102',
  key: '9d2f1b7e-3f64-4c39-8f4b-70c2cf1d2a03',
  tracker: '6c1e0a84-2f5d-4b7a-9c3e-15d7a9b4e504',
  organization: 'e2b9d3f6-7a41-4c58-b0d2-93f6c8a1d705',
  project: '3f2a9c1b-64d8-4e0f-8b7a-5c9d1e2f3a06',
  issue: 'b81d4c70-95e2-4a3f-a6c1-2d7f8e9b0c07',
  original: '17f5e9a2-c3b4-4d86-9e0f-8a1b2c3d4e08',
  pair: 'c4d3b2a1-0f9e-4d8c-8b7a-695847362509',
  change: '5e6f7a8b-9c0d-4e1f-a2b3-c4d5e6f7a810',
  step: '8a9b0c1d-2e3f-4a5b-8c6d-7e8f9a0b1c11',
  model: 'f0e1d2c3-b4a5-4697-8879-6a5b4c3d2e12',
  flow: '2b3c4d5e-6f70-4182-93a4-b5c6d7e8f913',
  execution: 'a7b8c9d0-e1f2-4a3b-8c4d-5e6f7a8b9c14',
  server: 'd1e2f3a4-b5c6-4d7e-8f90-a1b2c3d4e515',
  other: '7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e16',
} as const;

export const EXAMPLE_TIME = '2030-01-02T03:04:05.678Z';
export const LATER_EXAMPLE_TIME = '2030-01-31T08:00:00.000Z';
/** Content hash used in all examples. */
export const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
