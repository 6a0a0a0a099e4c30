import type { Evidence } from '@winnow/contract/duplicate';
import { Meter } from '../../../ui/meter.tsx';
import { shareText, similarityText } from '../similarity-text.ts';
import classes from './panel.module.css';

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

/** The similarity and what it is made of. Error text has no score when one of the issues quotes none. */
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
    </section>
  );
}
