import { DUPLICATES } from '../../content/features.ts';
import { FeaturePage } from '../../feature/feature-page.tsx';
import { Benchmark } from './benchmark.tsx';
import { Clusters } from './clusters.tsx';

/** The page at `/features/duplicates`. */
export function Page() {
  return (
    <FeaturePage feature={DUPLICATES}>
      <Clusters />
      <Benchmark />
    </FeaturePage>
  );
}
