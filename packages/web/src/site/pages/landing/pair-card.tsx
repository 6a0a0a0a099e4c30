import { StatusIcon } from '../../../features/issue-status/status-icon.tsx';
import { Meter } from '../../../theme/parts/meter.tsx';
import {
  SAMPLE_PAIR,
  type SampleIssueText,
  type SampleLine,
  type SharedOrNot,
} from '../../content/sample-pair.ts';
import classes from './pair-card.module.css';

const percent = (share: number, digits = 0) => `${(share * 100).toFixed(digits)}%`;

/** The two issues of a sample pair side by side, with their similarity score and the verdict. */
export function PairCard() {
  const { similarity, verdict, parts, older, newer } = SAMPLE_PAIR;
  return (
    <figure className={classes.card}>
      <figcaption className={classes.top}>
        <b>Two similar reports</b>
        <span>From the sample backlog</span>
      </figcaption>
      <div className={classes.middle}>
        <IssueText issue={older} />
        <dl className={classes.score}>
          <div className={classes.total}>
            <dt>Similarity</dt>
            <dd>{percent(similarity, 2)}</dd>
          </div>
          {parts.map(({ name, share }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{percent(share)}</dd>
              <dd className={classes.bar}>
                <Meter value={share} />
              </dd>
            </div>
          ))}
        </dl>
        <IssueText issue={newer} />
      </div>
      <div className={classes.foot}>
        <p>
          Verdict: {verdict}. You decide, for example: close <code>{newer.key}</code> as a duplicate of{' '}
          <code>{older.key}</code>
        </p>
        <p>3 writes, each shown in advance</p>
      </div>
    </figure>
  );
}

function IssueText({ issue: { key, title, author, lines } }: { issue: SampleIssueText }) {
  return (
    <article>
      <p className={classes.key}>
        <StatusIcon status="Open" />
        <code>{key}</code>
      </p>
      <h2>{title}</h2>
      <p className={classes.author}>{author}</p>
      <div className={classes.lines}>
        {lines.map((line) => (
          <Line key={line.pieces.map(pieceText).join('')} line={line} />
        ))}
      </div>
    </article>
  );
}

function pieceText(piece: SharedOrNot): string {
  return typeof piece === 'string' ? piece : piece.text;
}

function Line({ line: { kind, pieces } }: { line: SampleLine }) {
  return (
    <p className={kind === 'text' ? undefined : classes[kind]}>
      {pieces.map((piece) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <mark key={piece.shared}>
            {piece.text}
            <sup>{piece.shared}</sup>
          </mark>
        ),
      )}
    </p>
  );
}
