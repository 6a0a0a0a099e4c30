import { IconCoin, IconPlayerPlay, IconShieldCheck } from '@tabler/icons-react';
import { Picture } from '../../ui/picture.tsx';
import { type Point, Points } from '../../ui/points.tsx';
import { Section, SectionHead } from '../../ui/section.tsx';

const FLOW_POINTS: readonly Point[] = [
  {
    icon: IconPlayerPlay,
    title: 'Started by your trackers',
    text: 'A new issue, a comment, a merge request or a schedule starts a flow. The built-in analyst needs no key; a language model can do more.',
  },
  {
    icon: IconShieldCheck,
    title: 'Your rules apply',
    text: 'Each tool is allowed, denied or needs approval. Changes by a flow wait for approval, unless you let it write directly.',
  },
  {
    icon: IconCoin,
    title: 'Watched, limited, recorded',
    text: 'Follow each call live. Limits on budget, turns and time stop runaway flows, and everything a flow did stays on record.',
  },
];

/**
 * Section about flows: the tasks that agents may perform automatically, and how users supervise
 * them.
 */
export function Flows() {
  return (
    <Section>
      <SectionHead
        title="Agents that follow your limits"
        lead="Flag duplicates as they arrive, ask for missing details, suggest labels, report every week. You decide how far each flow may go."
      />
      <Points points={FLOW_POINTS} />
      <Picture
        src="/images/ui_04.png"
        alt="An execution of a flow: how it ended, what started it, and a comment that it proposes, to approve or to reject."
      />
    </Section>
  );
}
