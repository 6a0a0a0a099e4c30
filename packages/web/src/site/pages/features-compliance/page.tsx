import { COMPLIANCE } from '../../content/features.ts';
import { FeaturePage } from '../../feature/feature-page.tsx';

/** The page at `/features/compliance`. */
export function Page() {
  return <FeaturePage feature={COMPLIANCE} />;
}
