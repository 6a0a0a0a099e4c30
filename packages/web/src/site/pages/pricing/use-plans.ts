import { type Plan, planList } from '@winnow/contract/plan';
import { useEffect, useState } from 'react';
import { freeFirst } from '../../../features/plans/price-texts.ts';
import { loadSession } from '../../session/visitor.ts';

export type PlansState = { is: 'loading' } | { is: 'failed' } | { is: 'loaded'; plans: readonly Plan[] };

/** Loads the plans from the server. `retry` loads them again after a failure. */
export function usePlans(): { state: PlansState; retry: () => void } {
  const [state, setState] = useState<PlansState>({ is: 'loading' });
  useEffect(() => {
    if (state.is !== 'loading') return;
    let isUnmounted = false;
    const settle = (settled: PlansState) => {
      if (!isUnmounted) setState(settled);
    };
    loadPlans().then(
      (plans) => settle({ is: 'loaded', plans }),
      () => settle({ is: 'failed' }),
    );
    return () => {
      isUnmounted = true;
    };
  }, [state.is]);
  return { state, retry: () => setState({ is: 'loading' }) };
}

async function loadPlans(): Promise<Plan[]> {
  const { publicApi } = await loadSession();
  return freeFirst(await publicApi('GET', '/billing/plans', { schema: planList }));
}
