import { IconArrowBackUp, IconCopy, IconListSearch } from '@tabler/icons-react';
import classes from './page.module.css';

const TOPICS = [
  {
    Icon: IconListSearch,
    title: 'Your backlog stays in place',
    text: 'Issues stay in your tracker, and Winnow reads the projects you choose.',
  },
  {
    Icon: IconCopy,
    title: 'Duplicates with their evidence',
    text: 'Each pair shows how its score is composed and which passages both reports share.',
  },
  {
    Icon: IconArrowBackUp,
    title: 'A preview of every write',
    text: 'See what a decision changes in the tracker, step by step, and how to undo it.',
  },
] as const;

/** The topics that a demo covers. */
export function DemoTopics() {
  return (
    <section className={classes.shown} aria-labelledby="demo-topics">
      <h2 id="demo-topics">What we show you</h2>
      <ul>
        {TOPICS.map(({ Icon, title, text }) => (
          <li key={title}>
            <Icon size={20} stroke={1.75} aria-hidden />
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
