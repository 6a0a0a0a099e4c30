import { parentPort } from 'node:worker_threads';
import type { Strength } from '@winnow/passwords/levels';
import { rateStrength } from '@winnow/passwords/strength';

export interface RatingRequest {
  id: number;
  password: string;
  identity: readonly string[];
}

export interface RatingResponse {
  id: number;
  strength: Strength;
}

parentPort?.on('message', ({ id, password, identity }: RatingRequest) => {
  const answer: RatingResponse = { id, strength: rateStrength(password, identity) };
  parentPort?.postMessage(answer);
});
