import { siGithub, siGitlab, siJira, siLinear } from 'simple-icons';
import { BrandMark } from '../../ui/brand-mark.tsx';
import classes from './trackers.module.css';

const TRACKERS = [
  { name: 'GitHub', mark: siGithub },
  { name: 'GitLab', mark: siGitlab },
  { name: 'Jira', mark: siJira },
  { name: 'Linear', mark: siLinear, note: 'coming soon' },
];

/** The list of supported trackers. */
export function Trackers() {
  return (
    <section className={classes.strip} aria-label="Trackers">
      <div className={classes.inside}>
        <p>
          Made for the tracker you use. <span>In the cloud, or on your own server.</span>
        </p>
        <ul>
          {TRACKERS.map(({ name, mark, note }) => (
            <li key={name}>
              <BrandMark path={mark.path} />
              {name}
              {note === undefined ? null : <small>{note}</small>}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
