import { DUPLICATES } from '../../content/features.ts';
import { FeaturePage } from '../../feature/feature-page.tsx';
import { Benchmark } from './benchmark.tsx';

/** The page at `/features/duplicates`. */
export function Page() {
  return (
    <FeaturePage feature={DUPLICATES}>
      <Benchmark />
    </FeaturePage>
  );
}
