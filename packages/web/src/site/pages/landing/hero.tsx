import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'wouter';
import { NEWS } from '../../content/news.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Actions } from '../../ui/section.tsx';
import classes from './hero.module.css';
import { PairCard } from './pair-card.tsx';

/** The top of the landing page: the main heading and a sample pair. */
export function Hero() {
  return (
    <section className={classes.hero}>
      <div className={classes.inside}>
        <Link href={NEWS.link} className={classes.news}>
          <b>{NEWS.label}</b>
          <span>{NEWS.text}</span>
          <IconArrowRight size={16} aria-hidden />
        </Link>
        <h1>Know which issues are the same</h1>
        <p className={classes.lead}>
          Winnow reads the backlog you already have, finds the duplicates and shows why. You decide, see
          exactly what will be written, and can undo it.
        </p>
        <Actions>
          <ButtonLink href="/register" kind="primary" size="lg">
            Get Started
          </ButtonLink>
          <ButtonLink href="/request-demo" size="lg">
            Request a Demo
          </ButtonLink>
        </Actions>
        <PairCard />
      </div>
    </section>
  );
}
