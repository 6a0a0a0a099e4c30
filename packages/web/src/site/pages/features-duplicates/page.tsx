import { DUPLICATES } from '../../content/features.ts';
import { FeaturePage } from '../../feature/feature-page.tsx';
import { Measured } from './measured.tsx';

/** How duplicates are found. */
export function Page() {
  return (
    <FeaturePage feature={DUPLICATES}>
      <Measured />
    </FeaturePage>
  );
}
