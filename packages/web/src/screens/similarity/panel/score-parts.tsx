import { ActionIcon, Tooltip } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Evidence } from '@winnow/contract/duplicate';
import { shareText, similarityText } from '../../../features/pairs/pair-texts.ts';
import { Meter } from '../../../theme/parts/meter.tsx';
import classes from './panel.module.css';

/** Explanation of each part of the similarity score. */
const MEANINGS = [
  { name: 'Title', means: 'How much of each title also appears in the other issue.' },
  { name: 'Body', means: 'How similar the words of both descriptions are. Rare words count more.' },
  {
    name: 'Error text',
    means: 'How similar the quoted errors are. None if one issue quotes no error.',
  },
];

function Part({ name, share }: { name: string; share: number | null }) {
  return (
    <div className={classes.part}>
      <dt>{name}</dt>
      <dd>{share === null ? <span className={classes.none}>None</span> : shareText(share)}</dd>
      <dd className={classes.bar}>
        <Meter value={share ?? 0} />
      </dd>
    </div>
  );
}

function Meanings() {
  const label = MEANINGS.map(({ name, means }) => (
    <p key={name}>
      <b>{name}</b>: {means}
    </p>
  ));
  return (
    <Tooltip multiline position="bottom-end" label={label} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon aria-label="What the parts measure" size={20}>
        <IconInfoCircle size={14} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/**
 * Similarity score of a pair, with its parts and their weights. The part for error texts has no
 * score if an issue quotes no error.
 */
export function ScoreParts({ similarity, evidence }: { similarity: number; evidence: Evidence }) {
  return (
    <section className={classes.section} aria-label="Similarity">
      <dl className={classes.parts}>
        <div className={classes.total}>
          <dt>Similarity</dt>
          <dd>{similarityText(similarity)}</dd>
        </div>
        <Part name="Title" share={evidence.title} />
        <Part name="Body" share={evidence.body} />
        <Part name="Error text" share={evidence.error_text} />
      </dl>
      <div className={classes.weights}>
        <p>
          The score counts the words of title and body most, then the titles, then the meaning. Error text
          counts as part of the body.
        </p>
        <Meanings />
      </div>
    </section>
  );
}
