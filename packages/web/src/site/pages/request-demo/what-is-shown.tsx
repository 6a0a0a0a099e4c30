import { IconArrowBackUp, IconCopy, IconListSearch } from '@tabler/icons-react';
import classes from './page.module.css';

const SHOWN = [
  {
    Icon: IconListSearch,
    title: 'A backlog, read where it is',
    text: 'Nothing is moved: issues stay in your tracker, and Winnow reads the projects you choose.',
  },
  {
    Icon: IconCopy,
    title: 'Duplicates with their evidence',
    text: 'Each pair shows what its score is made of, and which passages both reports share.',
  },
  {
    Icon: IconArrowBackUp,
    title: 'Every write before it is made',
    text: 'What a decision changes in the tracker, step by step, and how it is undone.',
  },
] as const;

/** What a demo is about. */
export function WhatIsShown() {
  return (
    <section className={classes.shown} aria-labelledby="what-is-shown">
      <h2 id="what-is-shown">What we show you</h2>
      <ul>
        {SHOWN.map(({ Icon, title, text }) => (
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
