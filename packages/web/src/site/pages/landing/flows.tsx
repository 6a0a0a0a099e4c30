import { IconCoin, IconPlayerPlay, IconShieldCheck } from '@tabler/icons-react';
import { type Point, Points } from '../../ui/points.tsx';
import { Section, SectionHead } from '../../ui/section.tsx';
import classes from './flows.module.css';

const POINTS: readonly Point[] = [
  {
    icon: IconPlayerPlay,
    title: 'Started by your trackers',
    text: 'A new issue, a comment, a merge request or the clock starts a flow. The built-in analyst needs no key; a language model does more.',
  },
  {
    icon: IconShieldCheck,
    title: 'Bound by your rules',
    text: 'Each tool is allowed, asks first or is denied. What a flow would write waits for somebody to approve it, unless you let it write.',
  },
  {
    icon: IconCoin,
    title: 'Watched, limited, recorded',
    text: 'Follow each call live. A budget, a number of turns and a time limit end what runs away, and everything it did stays on record.',
  },
];

/** Flows: what agents may do by themselves, and what one sees of it. */
export function Flows() {
  return (
    <Section>
      <SectionHead
        title="Agents that stay within bounds"
        lead="Flag duplicates as they arrive, ask for what is missing, suggest labels, report every week. You decide how far each flow may go."
      />
      <Points points={POINTS} />
      <img
        className={classes.picture}
        src="/images/ui_04.png"
        width={1440}
        height={800}
        loading="lazy"
        alt="An execution of a flow: how it ended, what started it, and a comment that it proposes, to approve or to reject."
      />
    </Section>
  );
}
