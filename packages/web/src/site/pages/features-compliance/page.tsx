import { COMPLIANCE } from '../../content/features.ts';
import { FeaturePage } from '../../feature/feature-page.tsx';

/** How issues are scored against a Definition of Ready. */
export function Page() {
  return <FeaturePage feature={COMPLIANCE} />;
}
